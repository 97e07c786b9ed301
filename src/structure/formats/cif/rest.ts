import type { Json } from '../../../kernel/json.ts'
import type { Rest, StructureWarning } from '../../crystal.ts'
import { valueOfText } from '../common/rest.ts'
import { type CifBlock, type CifValue, isGiven } from './document.ts'

/** What is kept of the dictionaries' tags: under which code a database has the structure, what the substance is called, temperature and pressure. */
const KEPT =
  /^_(?:cod_|database_|amcsd_|aflow_|oqmd_|chemical_(?:name|formula|compound|melting|properties)|cell_(?:measurement|ambient)_(?:temperature|pressure)|diffrn_ambient_(?:temperature|pressure)|exptl_crystal_density|journal_(?:paper_doi|year|name_full)|citation_doi|pd_phase_name)/

/**
 * Categories of the core, powder, restraints and macromolecular dictionaries of the IUCr, and prefixes that programs have registered with it,
 * that speak of the publication, the experiment and its refinement, or say the structure over again.
 */
const KNOWN_CATEGORIES = new Set(
  (
    'atom_site_aniso atom_site_anharm atom_sites atom_type audit cell_measurement chemical chemical_conn chemical_formula citation computing database diffrn ' +
    'diffrn_attenuator diffrn_detector diffrn_measurement diffrn_orient diffrn_radiation diffrn_refln diffrn_reflns diffrn_scale ' +
    'diffrn_source diffrn_standard diffrn_standards exptl exptl_crystal function geom geom_angle geom_bond geom_contact geom_hbond ' +
    'geom_torsion journal local_data pd publ refine refine_ls refln reflns reflns_scale reflns_shell restr ' +
    'twin valence entity entity_poly exptl_method entry software struct struct_asym struct_biol struct_conf struct_conn ' +
    'struct_ref struct_sheet struct_site pdbx chem_comp em ndb iucr shelx shelxl shelxs oxford olex2 platon squeeze sm gsas jana ccdc ' +
    'publcif vrf bruker rigaku stoe xabs mercury enCIFer expo topas'
  ).split(' '),
)

/** What says the structure over again. */
const SAYS_AGAIN =
  /^_(?:symmetry_|space_group_|cell_|atom_site_(?:(?:site_)?symm?etry_(?:multiplicity|order)|site_symmetry|wyckoff|calc_flags|group_pdb|id$))/

/** Columns of the list of atoms that say nothing of element and place. */
const ATOM_COLUMNS =
  /^_atom_site_(?:[ub]_(?:iso|equiv)|adp_type|thermal_displace|calc_|refinement_flags|constraints|restraints|description|chemical_conn|pdbx_|auth_|label_|cartn_|fract_|attached)/

/** What blocks say beside the structure: ids and unknown tags by name, and a line on the categories of publication and experiment. */
export function restOfCif(blocks: readonly CifBlock[]): {
  readonly rest: Rest
  readonly told: readonly StructureWarning[]
} {
  const values: [string, Json][] = []
  const leftOut: string[] = []
  const categories = new Map<string, number>()
  const note = (tag: string, name: string, given: readonly CifValue[]): void => {
    const [first] = given
    if (first === undefined) return
    if (!KEPT.test(tag) && SAYS_AGAIN.test(tag)) return
    const category = KEPT.test(tag) ? undefined : categoryOf(tag)
    if (category !== undefined) categories.set(category, (categories.get(category) ?? 0) + given.length)
    else if (given.length > 1) leftOut.push(`${name} (${given.length})`)
    else values.push([name, first.quoted ? first.text.trim() : valueOfText(first.text)])
  }
  for (const block of blocks) {
    const nameOf = (tag: string): string => block.names.get(tag) ?? tag
    for (const [tag, value] of block.items) if (!block.taken.has(tag)) note(tag, nameOf(tag), [value].filter(isGiven))
    for (const { tags, values: all } of block.loops) {
      for (const [column, tag] of tags.entries()) {
        if (block.taken.has(tag)) continue
        note(
          tag,
          nameOf(tag),
          all.filter((value, index) => index % tags.length === column && isGiven(value)),
        )
      }
    }
  }
  return { rest: { values: Object.fromEntries(values), leftOut }, told: told(categories) }
}

/** The longest known category that a tag may be of. */
function categoryOf(tag: string): string | undefined {
  if (ATOM_COLUMNS.test(tag)) return tag
  const words = tag.slice(1).split('_')
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const category = words.slice(0, length).join('_')
    if (KNOWN_CATEGORIES.has(category)) return `_${category}`
  }
  return undefined
}

const MOST_CATEGORIES = 60

function told(categories: ReadonlyMap<string, number>): readonly StructureWarning[] {
  if (categories.size === 0) return []
  const names = [...categories.keys()].sort()
  const more = names.length > MOST_CATEGORIES ? ` and ${names.length - MOST_CATEGORIES} more` : ''
  const message = `Not read, what the file says of publication, experiment and refinement: ${names.slice(0, MOST_CATEGORIES).join(', ')}${more}.`
  return [{ code: 'not-read', message, severity: 'info' }]
}
