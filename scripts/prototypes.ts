// Makes the table of named prototypes: `npx tsx scripts/prototypes.ts aflow_prototypes.json`, the file of pymatgen 2022.11.7 (MIT).
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { vectorText } from '../src/kernel/bytes.ts'
import { readMaterial } from '../src/records/kinds/material/structure-files.ts'
import type { Crystal } from '../src/structure/crystal.ts'
import type { Matrix3, Vector3 } from '../src/structure/linear-algebra.ts'
import { fingerprintOf } from '../src/structure/matching/fingerprint.ts'
import { prototypeLabel } from '../src/structure/matching/prototype.ts'
import { analyzeSymmetry } from '../src/structure/symmetry/find-symmetry.ts'

const OUT = fileURLToPath(new URL('../src/structure/matching/prototypes.tsv', import.meta.url))
const TOLERANCE = 0.01
/** What those are called that the list has no name of. */
const CALLED: Readonly<Record<string, string>> = {
  A15: 'Cr3Si',
  B2: 'Cesium Chloride',
  B8_1: 'Nickeline',
  C33: 'Tetradymite',
  L1_0: 'CuAu',
  L1_2: 'Cu3Au',
}

/** Prototypes that the list does not have, each by a sample: name, AFLOW's label, Strukturbericht symbol. */
const BY_SAMPLE: Readonly<Record<string, readonly [string, string, string | null]>> = {
  'al2sio5-kyanite': ['Kyanite', 'A2B5C_aP32_2_4i_10i_2i', 'S0_1'],
  'camgsi2o6-diopside': ['Diopside', 'ABC6D2_mC40_15_e_e_3f_f', 'S4_1'],
  'cufeo2-delafossite': ['Delafossite', 'ABC2_hR4_166_a_b_c', null],
  'ga2o3-beta': ['Beta gallia', 'A2B3_mC20_12_2i_3i', null],
  'mg3al2si3o12-garnet': ['Garnet', 'A2B3C12D3_cI160_230_a_c_h_d', 'S1_4'],
  'naalsi3o8-albite': ['Albite', 'ABC8D3_aP26_2_i_i_8i_3i', null],
  'fe3o4-spinel': ['Spinel of one cation', 'A3B4_cF56_227_ad_e', 'D7_2'],
}

interface Given {
  readonly snl: {
    readonly lattice: { readonly matrix: Matrix3 }
    readonly sites: readonly { readonly species: readonly { readonly element: string }[]; readonly abc: Vector3 }[]
  }
  readonly tags: { readonly aflow: string; readonly strukturbericht: string | null; readonly mineral: string | null }
}

const [file = ''] = process.argv.slice(2)
const given = JSON.parse(readFileSync(file, 'utf8')) as readonly Given[]
const rows = given.flatMap(({ snl, tags }) => {
  const { lattice, sites } = snl
  const named = sites.map(({ species, abc }) => ({ element: species[0]?.element ?? '', fraction: abc }))
  const strukturbericht = tags.strukturbericht === 'None' ? null : tags.strukturbericht
  const mineral = wholeName(tags.mineral, named)
  const name = mineral || CALLED[strukturbericht ?? ''] || tags.aflow
  return rowOf({ lattice: lattice.matrix, sites: named }, [name, tags.aflow, strukturbericht])
})
for (const [sample, names] of Object.entries(BY_SAMPLE)) {
  const text = readFileSync(new URL(`../samples/materials/${sample}.json`, import.meta.url), 'utf8')
  rows.push(...rowOf(readMaterial({ text, format: 'material' }).crystal, names))
}

/** The list cuts the names of some elements short: `alpha`. */
function wholeName(name: string | null, sites: Crystal['sites']): string | null {
  return name === 'alpha' || name === 'beta' ? `${name} ${sites[0]?.element}` : name
}

function rowOf(
  crystal: Pick<Crystal, 'lattice' | 'sites'>,
  [name, aflow, symbol]: readonly [string, string, string | null],
) {
  const label = prototypeLabel(analyzeSymmetry(crystal, TOLERANCE))
  const numbers = fingerprintOf(crystal)
  return label === null || numbers === null ? [] : [[label, name, aflow, symbol, vectorText(numbers)]]
}

rows.sort(([a, b], [c, d]) => ((a ?? '') < (c ?? '') || (a === c && (b ?? '') < (d ?? '')) ? -1 : 1))
const lines = rows.map((row) => row.map((cell) => cell ?? '').join('\t'))
const text = `# Prototypes that have a name. Names and structures: the AFLOW Library of Crystallographic Prototypes (M. J. Mehl et al., Comput. Mater. Sci. 136, S1, 2017),
# by the list of pymatgen 2022.11.7 (MIT). scripts/prototypes.ts makes this table.
# label\tname\tAFLOW's label\tStrukturbericht symbol\tfingerprint
${lines.join('\n')}
`
writeFileSync(OUT, text)
process.stdout.write(`${rows.length} prototypes, ${new Set(rows.map(([label]) => label)).size} labels\n`)
