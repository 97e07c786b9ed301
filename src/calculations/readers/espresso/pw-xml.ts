import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import type { Calculation, OutputFormat, OutputLimits, OutputReader } from '../../calculation.ts'
import { Remainder } from '../../remainder.ts'
import { XmlBands } from './xml-bands.ts'
import { calculationOf } from './xml-calculation.ts'
import { XmlSteps } from './xml-steps.ts'
import { type XmlElement, XmlTree } from './xml-tree.ts'

/** Results of pw.x as it writes them for programs: `data-file-schema.xml`, since version 6.2. */
export const pwXmlFormat: OutputFormat = {
  name: 'espresso-xml',
  title: 'Quantum ESPRESSO pw.x data-file-schema.xml',
  fileNames: /\.xml$/i,
  recognizes: (head) => /<(?:[\w.-]+:)?espresso[\s>]/.test(head),
  source: { kind: 'text', open: (limits) => new PwXmlReader(limits) },
}

class PwXmlReader implements OutputReader {
  readonly #limits: OutputLimits
  readonly #remainder = new Remainder()
  readonly #bands: XmlBands
  readonly #steps: XmlSteps
  readonly #tree: XmlTree

  constructor(limits: OutputLimits) {
    this.#limits = limits
    this.#bands = new XmlBands(limits)
    this.#steps = new XmlSteps(limits, this.#remainder)
    this.#tree = new XmlTree((path, element) => this.#take(path, element), this.#remainder)
  }

  write(text: string): void {
    this.#tree.write(text)
  }

  end(): readonly Calculation[] {
    const { root, isWhole } = this.#tree.end()
    if (root === null) throw notEspresso('The file has no XML.')
    return [
      calculationOf(root, {
        isWhole,
        bands: this.#bands,
        steps: this.#steps,
        remainder: this.#remainder,
        limits: this.#limits,
      }),
    ]
  }

  #take(path: string, element: XmlElement): boolean {
    if (path === 'espresso/step') return this.#steps.take(element)
    if (path === 'espresso/output/band_structure/ks_energies') return this.#bands.take(element)
    if (!path.includes('/') && path !== 'espresso') throw notEspresso(`The file begins with <${path}>.`)
    return false
  }
}

function notEspresso(message: string): Error {
  const hint = 'Send the data-file-schema.xml that pw.x writes into the folder prefix.save.'
  return refusal(FORMAT_ERRORS.unknownFormat, message, { hint })
}
