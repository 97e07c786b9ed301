import { propertyTitle } from '../../../src/page/property-words.ts'
import { ownFields } from '../../properties/own-fields.ts'
import { PropertyCards } from '../../properties/property-cards.tsx'
import { quantityText } from '../../properties/quantity.ts'
import { shownProperties } from '../../properties/shown-properties.ts'
import { elementsOf } from './material.ts'
import type { SectionProps } from './section.ts'

/** What is computed or measured of the material, and fields that its owner invented. */
export function PropertiesSection({ material, id, properties }: SectionProps) {
  const shown = shownProperties(properties)
  const own = ownFields(material)
  return (
    <>
      <h2>Properties</h2>
      {shown.length > 0 && <PropertyCards properties={shown} materialId={id} elements={elementsOf(material)} />}
      {own.length > 0 && (
        <>
          {shown.length > 0 && <h2>Fields of this record</h2>}
          <div class="property-cards">
            {own.map(({ path, value, units }) => (
              <article key={path} class="property-card own" aria-label={propertyTitle(path)}>
                <h3>{propertyTitle(path)}</h3>
                <p class="property-value">{typeof value === 'number' ? quantityText(value, units) : String(value)}</p>
                <p class="fine">
                  <code>{path}</code>
                </p>
              </article>
            ))}
          </div>
          <p class="fine">Numbers and words as the record has them, under names and in units of its owner’s.</p>
        </>
      )}
    </>
  )
}
