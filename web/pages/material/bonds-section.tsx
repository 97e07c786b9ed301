import { reading, useAnswer } from '../../api/use-answer.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Wide } from '../../parts/wide.tsx'
import { namesOfSites } from './material.ts'

interface Lengths {
  readonly min: number
  readonly mean: number
  readonly max: number
}

interface CoordinatedSite {
  readonly element: string
  readonly sites: readonly number[]
  readonly wyckoffPosition: string | null
  readonly coordinationNumber: number
  readonly bondLengths: Lengths | null
  readonly neighbours: readonly { readonly element: string; readonly count: number; readonly bondLengths: Lengths }[]
}

interface Coordination {
  readonly method: string
  /** The crystal is disordered, and these are the species that are there most often. */
  readonly ofMostFrequent: boolean
  readonly sites: readonly CoordinatedSite[]
}

/** How many neighbours each atom has, which, and how far away. */
export function BondsSection({ id }: { readonly id: string }) {
  const { data, error } = useAnswer<Coordination>(reading(`/materials/${encodeURIComponent(id)}/coordination`))
  return (
    <>
      <h2>Coordination and bond lengths</h2>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton lines={4} />}
      {data !== null && (
        <>
          {data.ofMostFrequent && (
            <p>The crystal is disordered: this is told of the species that are there most often.</p>
          )}
          <CoordinationTable sites={data.sites} />
          <p class="fine">By {data.method}. Bonds of the drawing are drawn by radii alone, and may be others.</p>
        </>
      )}
    </>
  )
}

function CoordinationTable({ sites }: { readonly sites: readonly CoordinatedSite[] }) {
  const hasPositions = sites.some(({ wyckoffPosition }) => wyckoffPosition !== null)
  return (
    <Wide label="Coordination">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">Element</th>
            {hasPositions && <th scope="col">Position</th>}
            <th scope="col">Coordination number</th>
            <th scope="col">Neighbours</th>
            <th scope="col">Shortest / Å</th>
            <th scope="col">Mean / Å</th>
            <th scope="col">Longest / Å</th>
            <th scope="col">Sites of this cell</th>
          </tr>
        </thead>
        {sites.map((one) => (
          <tbody key={one.sites[0]}>
            <tr>
              <th scope="row">{one.element}</th>
              {hasPositions && <Position text={one.wyckoffPosition ?? ''} />}
              <td>{one.coordinationNumber}</td>
              <td>{one.neighbours.map(({ element, count }) => `${count} ${element}`).join(', ') || 'none'}</td>
              <LengthCells lengths={one.bondLengths} />
              <td>{namesOfSites(one.sites)}</td>
            </tr>
            {one.neighbours.length > 1 &&
              one.neighbours.map(({ element, count, bondLengths }) => (
                <tr key={element} class="part">
                  <td />
                  {hasPositions && <td />}
                  <td />
                  <td>
                    {count} {element}
                  </td>
                  <LengthCells lengths={bondLengths} />
                  <td />
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </Wide>
  )
}

/** `8c`, its letter in italics. */
function Position({ text }: { readonly text: string }) {
  return (
    <td>
      {text.slice(0, -1)}
      <i>{text.slice(-1)}</i>
    </td>
  )
}

function LengthCells({ lengths }: { readonly lengths: Lengths | null }) {
  return (['min', 'mean', 'max'] as const).map((name) => (
    <td key={name}>{lengths === null ? '' : lengths[name].toFixed(3)}</td>
  ))
}
