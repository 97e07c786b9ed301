import { FORMAT_ERRORS, refusal } from '../../../../structure/errors.ts'
import type { Calculation, OutputFormat, OutputLimits, OutputReader } from '../../../calculation.ts'
import type { KPoints } from '../k-points.ts'
import { IonicSteps } from '../steps.ts'
import { type AtomType, type Positions, Species } from '../structure.ts'
import { atomsOf } from './atoms-element.ts'
import { type IonicStep, ionicStepOf } from './calculation-element.ts'
import { kPointsOf } from './k-points-element.ts'
import { RunParameters } from './parameters.ts'
import type { Vasprun } from './sections.ts'
import { structureOf, type Unused } from './structure-element.ts'
import { UnusedElements } from './unused-elements.ts'
import { calculationOf } from './vasprun-calculation.ts'
import { type ElementReader, type Tag, XmlElements } from './xml-elements.ts'

/** vasprun.xml of VASP: all that a run has used and found. */
export const vasprunFormat: OutputFormat = {
  name: 'vasprun',
  title: 'VASP vasprun.xml',
  fileNames: /vasprun[^/]*\.xml$/i,
  recognizes: (head) => ROOT.test(head),
  source: { kind: 'text', open: (limits) => new VasprunReader(limits) },
}

const ROOT = /^[^<]{0,64}(?:<\?xml[^>]{0,200}>\s{0,64})?<modeling\s*>/

class VasprunReader implements OutputReader {
  readonly #limits: OutputLimits
  readonly #xml: XmlElements
  readonly #unused = new UnusedElements()
  readonly #sections: Readonly<Record<'generator' | 'incar' | 'parameters', RunParameters>>
  readonly #steps: IonicSteps
  #kPoints: KPoints | null = null
  #species: Species | null = null
  #elements: readonly string[] = []
  #initial: Positions | null = null
  #final: Positions | null = null
  #last: IonicStep | null = null
  #begun: IonicStep | null = null

  constructor(limits: OutputLimits) {
    this.#limits = limits
    this.#steps = new IonicSteps(limits.numbers)
    this.#sections = {
      generator: new RunParameters('generator', this.#unused),
      incar: new RunParameters('incar', this.#unused),
      parameters: new RunParameters('parameters', this.#unused),
    }
    this.#xml = new XmlElements({ within: (tag) => this.#root(tag), end: () => {} })
  }

  write(text: string): void {
    this.#xml.write(text)
  }

  end(): readonly Calculation[] {
    const stop = this.#xml.break
    if (Object.keys(this.#sections.generator.values).length === 0) {
      const message = `The file is no vasprun.xml: ${stop?.message ?? 'it does not name the program that wrote it.'}`
      const hint = 'It begins with <modeling> and <generator>, as VASP writes it.'
      throw refusal(FORMAT_ERRORS.malformed, message, { line: stop?.line ?? 1, hint })
    }
    const vasprun: Vasprun = {
      generator: this.#sections.generator.values,
      incar: this.#sections.incar.values,
      parameters: this.#sections.parameters.values,
      kPoints: this.#kPoints,
      species: this.#species,
      initial: this.#initial,
      final: this.#final,
      steps: this.#steps,
      last: this.#last,
      begun: this.#begun,
      unused: this.#unused,
      isWhole: this.#xml.isWhole,
    }
    return [calculationOf(vasprun, { stop, limits: this.#limits })]
  }

  #root(tag: Tag): ElementReader {
    if (tag.name === 'modeling') return { within: (inner) => this.#section(inner), end: () => {} }
    const message = `The file begins with <${tag.name}>, and a vasprun.xml with <modeling>.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line: this.#xml.line })
  }

  #section(tag: Tag): ElementReader {
    const unused: Unused = { elements: this.#unused, path: [tag.name] }
    const { name } = tag.attributes
    switch (tag.name) {
      case 'generator':
      case 'incar':
      case 'parameters':
        return this.#sections[tag.name].reader()
      case 'kpoints':
        // A second list of k-points carries a comment that says so.
        if (this.#kPoints !== null || tag.attributes.comment !== undefined) break
        return kPointsOf((kPoints) => (this.#kPoints = kPoints), this.#limits, unused)
      case 'atominfo':
        return atomsOf((types) => this.#takeAtoms(types), this.#limits, unused)
      case 'structure':
        if (name === 'initialpos')
          return structureOf((structure) => (this.#initial = structure), this.#limits, { ...unused, path: [name] })
        if (name === 'finalpos')
          return structureOf((structure) => (this.#final = structure), this.#limits, { ...unused, path: [name] })
        break
      case 'calculation':
        return this.#ionicStep(unused)
    }
    return this.#unused.reader(tag, [])
  }

  #takeAtoms(types: readonly AtomType[]): void {
    this.#species = new Species(types)
    this.#elements = this.#species.elements
  }

  #ionicStep(unused: Unused): ElementReader {
    const known = { kPoints: this.#kPoints, elements: this.#elements }
    const { step, reader } = ionicStepOf((whole) => this.#takeStep(whole), { known, limits: this.#limits, unused })
    this.#begun = step
    return reader
  }

  #takeStep(step: IonicStep): void {
    this.#begun = null
    this.#last = step
    this.#steps.add(step.electronic, step.energy, step.forces)
  }
}
