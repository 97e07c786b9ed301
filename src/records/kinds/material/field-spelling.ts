import { ELEMENT_CLASS_NAMES, readElementClass } from '../../../page/elements.ts'
import { anonymousFormula, readAnonymousFormula, withCapitals } from '../../../page/formula-spelling.ts'
import { readIon } from '../../../page/ion.ts'
import { CRYSTAL_SYSTEMS, POINT_GROUPS } from '../../../page/symmetry-names.ts'
import { show } from '../../../query/context.ts'
import type { FieldGuide, Spelling } from '../../../query/warnings/field-knowledge.ts'
import { DISORDER_KINDS } from '../../../structure/chemistry/consistency-checks.ts'
import { alphabeticalReducedFormula, chemicalSystem, hillFormula } from '../../../structure/chemistry/formula-forms.ts'
import {
  isElementList,
  readComposition,
  readElement,
  readElements,
} from '../../../structure/chemistry/read-composition.ts'
import { ELEMENTS } from '../../../structure/elements/element.ts'
import { type ElementCounts, reducedFormula, unitCellFormula } from '../../../structure/formula.ts'
import { readSpaceGroup, spaceGroupSymbol } from '../../../structure/symmetry/space-group-setting.ts'
import { spellChoice } from '../../spelling.ts'

type Speller = (text: string, path: string) => Spelling | null

const SPELLERS: Readonly<Record<string, Speller>> = {
  formula: formulaAs(reducedFormula),
  unitCellFormula: formulaAs(unitCellFormula),
  formulaReduced: formulaAs(alphabeticalReducedFormula),
  formulaHill: formulaAs(hillFormula),
  formulaAnonymous: anonymousAs,
  anonymousFormula: anonymousAs,
  chemicalSystem: spellSystem,
  elements: spellElement,
  elementClasses: spellElementClass,
  oxidationStates: spellIon,
  disorderKinds: (text) => spellChoice(DISORDER_KINDS, text),
  'basis.elements.value': spellElement,
  'derivedProperties.element': spellElement,
  'spaceGroup.symbol': spellSpaceGroup,
  'spaceGroup.number': spellSpaceGroupNumber,
  'symmetry.declared.symbol': spellSpaceGroup,
  'symmetry.declared.number': spellSpaceGroupNumber,
  'symmetry.byTolerance.symbol': spellSpaceGroup,
  'symmetry.byTolerance.number': spellSpaceGroupNumber,
  'spaceGroup.crystalSystem': (text) => spellChoice(CRYSTAL_SYSTEMS, text),
  'spaceGroup.pointGroup': spellPointGroup,
}

/** Checks the spelling of formulas, elements and symmetry in materials, by the text alone. */
export const spellField: FieldGuide['spelling'] = (path, text) =>
  Object.hasOwn(SPELLERS, path) ? (SPELLERS[path]?.(text, path) ?? null) : null

function formulaAs(print: (counts: ElementCounts) => string): Speller {
  return (text) => {
    const counts = readAnyComposition(text)
    if (counts !== null) return written(text, print(counts))
    const hint = 'Write it with the symbols of elements: "NaCl", "SrTiO3".'
    if (!isElementList(text)) return { fault: 'is no formula', right: null, hint }
    const system = (readElements(text) ?? []).join('-')
    return { fault: 'is no formula', right: null, hint, instead: [{ path: 'chemicalSystem', operand: system }] }
  }
}

/** A formula, the name of an element, or a formula without capitals. */
function readAnyComposition(text: string): ElementCounts | null {
  const counts = readComposition(text)
  if (counts !== null || isElementList(text)) return counts
  const element = readElement(text)
  if (element !== null) return new Map([[element, 1]])
  const capitals = withCapitals(text.trim())
  return capitals === null ? null : readComposition(capitals)
}

function anonymousAs(text: string): Spelling | null {
  const letters = readAnonymousFormula(text)
  if (letters !== null) return written(text, anonymousFormula(letters))
  const counts = readComposition(text)
  const right = counts === null ? null : anonymousFormula(counts)
  const hint = 'Write it with the most frequent element first: "A3BC" for SrTiO3.'
  const fault = 'is no formula with letters for elements'
  return right === null ? { fault, right, hint } : { fault, right, hint, instead: [{ operand: right }] }
}

function spellSystem(text: string): Spelling | null {
  const elements = readElements(text)
  if (elements !== null) return written(text, elements.join('-'))
  const counts = readComposition(text)
  if (counts !== null) return written(text, chemicalSystem(counts))
  return { fault: 'is no chemical system', right: null, hint: 'Write the symbols of its elements: "O-Ti".' }
}

function spellElement(text: string): Spelling | null {
  const element = readElement(text)
  if (element !== null) return written(text, element)
  const several = readElements(text)
  const unknown = {
    fault: 'is not the symbol of an element',
    right: null,
    hint: 'Write it as in the periodic table: "Si".',
  }
  return several === null ? unknown : { ...unknown, instead: [{ operand: { $all: several } }] }
}

function spellElementClass(text: string): Spelling | null {
  const right = readElementClass(text)
  if (right !== null) return written(text, right)
  return spellChoice(ELEMENT_CLASS_NAMES, text)
}

function spellIon(text: string): Spelling | null {
  const right = readIon(text)
  if (right !== null) return written(text, right)
  const hint = 'Write the element, then the number, then the sign: "Fe3+", "O2-", "Na1+".'
  return { fault: 'is no element with its oxidation state', right: null, hint }
}

function spellSpaceGroup(text: string, path: string): Spelling | null {
  const number = readSpaceGroup(text)
  const numberPath = path.replace(/symbol$/, 'number')
  if (number === null) {
    const hint = `Write its symbol, "Fm-3m", or ask for its number at "${numberPath}".`
    return { fault: 'is no space group', right: null, hint }
  }
  const right = spaceGroupSymbol(number)
  const instead = [{ operand: right }, { path: numberPath, operand: number }]
  return right === text ? null : { ...spelled(show(right)), right, instead }
}

function spellSpaceGroupNumber(text: string): Spelling | null {
  const number = readSpaceGroup(text)
  if (number === null) return { fault: 'is no space group', right: null, hint: 'Numbers are from 1 to 230.' }
  return { ...spelled(`${number}`), right: String(number), instead: [{ operand: number }] }
}

function spellPointGroup(text: string): Spelling | null {
  const compact = text.replaceAll(/[\s_]/g, '')
  return spellChoice(POINT_GROUPS, compact) ?? written(text, compact)
}

function written(text: string, right: string): Spelling | null {
  return right === text ? null : { ...spelled(show(right)), right, instead: [{ operand: right }] }
}

function spelled(right: string): Pick<Spelling, 'fault' | 'hint'> {
  return { fault: `is written ${right}`, hint: `Write ${right}.` }
}

/** Paths below the derived fields of a material. */
export const DERIVED_PATHS: readonly string[] = [
  ...['label', 'pearson', 'name', 'aflow', 'strukturbericht'].map((name) => `prototype.${name}`),
  ...['number', 'symbol', 'crystalSystem', 'pointGroup'].map((name) => `spaceGroup.${name}`),
  'symmetry.pseudosymmetric',
  ...['tolerance', 'number', 'symbol'].map((name) => `symmetry.byTolerance.${name}`),
  ...['number', 'symbol'].map((name) => `symmetry.declared.${name}`),
  ...'name value units element pointGroupSymbol spaceGroupSymbol spaceGroupNumber hallSymbol isStandardSetting wyckoffLetters'
    .split(' ')
    .map((name) => `derivedProperties.${name}`),
  ...['value', 'units'].map((name) => `derivedProperties.tolerance.${name}`),
  ...['key', 'name', 'severity', 'message', 'code', 'hint'].map((name) => `consistencyChecks.${name}`),
  ...ELEMENTS.map(({ symbol }) => `composition.${symbol}`),
  ...['extension', 'filename', 'text', 'hash'].map((name) => `src.${name}`),
]

/** Names of material fields in the Materials Project, OPTIMADE, pymatgen, ASE and AFLOW, in small letters, digits and dots alone. */
const NAMES_ELSEWHERE: Readonly<Record<string, string>> = {
  _id: 'materialid taskid mpid',
  formula: 'prettyformula formulapretty chemicalformula chemicalformuladescriptive compound',
  'basis.elements.occurrence': 'occupancy occupancies',
  'basis.elements.oxidationState': 'oxidationstate',
  oxidationStates: 'oxidationstates ions',
  elementClasses: 'elementclass',
  isDisordered: 'disordered isordered',
  periodicDirections: 'pbc dimensiontypes',
  'basis.magneticMoments.value': 'magmom magmoms',
  formulaReduced: 'chemicalformulareduced',
  unitCellFormula: 'fullformula unitcellformula',
  formulaAnonymous: 'chemicalformulaanonymous',
  formulaHill: 'chemicalformulahill hillformula',
  chemicalSystem: 'chemsys',
  elements: 'species symbols',
  nElements: 'nelem nspecies numelements numberofelements',
  nSites: 'natoms numatoms numsites numberofatoms numberofsites',
  'spaceGroup.number': 'spacegroupnumber spgnum sgnumber spacegrouprelax symmetry.number',
  'spaceGroup.symbol': 'spacegroupsymbol sgsymbol symmetry.symbol',
  'spaceGroup.crystalSystem': 'symmetry.crystalsystem spacegroup.crystalsystem crystalsystem',
  'spaceGroup.pointGroup': 'symmetry.pointgroup spacegroup.pointgroup pointgroup',
  'prototype.strukturbericht': 'strukturbericht',
  'prototype.pearson': 'pearsonsymbol pearson',
  'prototype.name': 'structuretype',
  'prototype.aflow': 'aflowprototype aflowprototypelabel',
  'lattice.type': 'bravais bravaislattice latticesystem latticetype',
  lattice: 'structure.lattice',
  'lattice.a': 'structure.lattice.a a',
  'lattice.b': 'structure.lattice.b b',
  'lattice.c': 'structure.lattice.c c',
  'lattice.alpha': 'structure.lattice.alpha alpha',
  'lattice.beta': 'structure.lattice.beta beta',
  'lattice.gamma': 'structure.lattice.gamma gamma',
  volume: 'structure.lattice.volume cellvolume vol',
  'lattice.vectors': 'cell latticevectors',
  'basis.coordinates': 'positions coordinates cartesiansitepositions',
  'basis.elements': 'sites atoms',
  density: 'rho',
  updatedAt: 'lastmodified',
  isPublic: 'ispublished',
}

/** Fields by these names. */
export const OTHER_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMES_ELSEWHERE).flatMap(([field, names]) => names.split(' ').map((name) => [name, field])),
)
