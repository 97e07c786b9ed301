/** Parts of a vasprun.xml of our own making, with numbers that are made up; a part that is given replaces the one that is there. */
export interface VasprunParts {
  readonly incar?: string
  readonly kPoints?: string
  readonly parameters?: string
  readonly atoms?: string
  readonly initial?: string
  readonly steps?: string
  readonly end?: string
}

const vectors = (name: string, rows: readonly string[], type = ''): string =>
  `<varray name="${name}" ${type}>${rows.map((row) => `<v> ${row} </v>`).join('')}</varray>`

export const structure = (edge: string, places: readonly string[], name = '', more = ''): string =>
  `<structure${name === '' ? '' : ` name="${name}"`} ><crystal>${vectors('basis', [
    `${edge} 0.0 0.0`,
    `0.0 ${edge} 0.0`,
    `0.0 0.0 ${edge}`,
  ])}<i name="volume"> 74.09 </i>${vectors('rec_basis', ['0.2 0 0', '0 0.2 0', '0 0 0.2'])}</crystal>${vectors(
    'positions',
    places,
  )}${more}</structure>`

const energy = (energies: Readonly<Record<string, string>>): string =>
  `<energy>${Object.entries(energies)
    .map(([name, value]) => `<i name="${name}"> ${value} </i>`)
    .join('')}</energy>`

export const electronicStep = (free: string, zero: string, more: Readonly<Record<string, string>> = {}): string =>
  `<scstep><time name="total"> 0.3 0.4</time>${energy({ ...more, e_fr_energy: free, e_wo_entrp: free, e_0_energy: zero })}</scstep>`

/** Spins, k-points, and states of an energy and an occupation. */
export const eigenvalues = (spins: readonly (readonly (readonly string[])[])[]): string =>
  `<eigenvalues><array><dimension dim="1">band</dimension><dimension dim="2">kpoint</dimension><dimension dim="3">spin</dimension><field>eigene</field><field>occ</field><set>${spins
    .map(
      (points, spin) =>
        `<set comment="spin ${spin + 1}">${points
          .map((rows, k) => `<set comment="kpoint ${k + 1}">${rows.map((row) => `<r> ${row} </r>`).join('')}</set>`)
          .join('')}</set>`,
    )
    .join('')}</set></array></eigenvalues>`

export const densities = `<dos><i name="efermi"> 1.5 </i><total><array><dimension dim="1">gridpoints</dimension><field>energy</field><field>total</field><field>integrated</field><set><set comment="spin 1"><r> -1.0 0.5 0.5 </r><r> 1.0 2.0 2.5 </r></set><set comment="spin 2"><r> -1.0 0.25 0.25 </r><r> 1.0 1.0 1.25 </r></set></set></array></total><partial><array><dimension dim="1">gridpoints</dimension><field>energy</field><field>    s</field><field>x2-y2</field><set>${[
  ['0.1 0.2', '0.3 0.4'],
  ['0.01 0.02', '0.03 0.04'],
  ['0.5 0.6', '0.7 0.8'],
]
  .map(
    (rows, ion) =>
      `<set comment="ion ${ion + 1}">${['spin 1', 'spin 2']
        .map(
          (spin) => `<set comment="${spin}">${rows.map((row, at) => `<r> ${at * 2 - 1}.0 ${row} </r>`).join('')}</set>`,
        )
        .join('')}</set>`,
  )
  .join('')}</set></array></partial></dos>`

export const INITIAL = ['0.0 0.0 0.0', '0.5 0.5 0.0', '0.5 0.5 0.5']
export const RELAXED = ['0.01 0.0 0.0', '0.5 0.5 0.0', '0.5 0.5 0.49']

export const firstStep = `<calculation>${electronicStep('-9.0', '-8.9')}${electronicStep('-10.0', '-9.9', { ewald: '-20.0' })}${structure('4.2', INITIAL)}${vectors('forces', ['0.3 0.0 0.4', '0.0 0.0 0.0', '-0.3 0.0 -0.4'])}${vectors('stress', ['30.0 0 0', '0 30.0 0', '0 0 30.0'])}${energy({ e_fr_energy: '-10.0', e_wo_entrp: '-10.1', e_0_energy: '-9.9' })}</calculation>`

export const STATES = [
  [
    ['-2.0 1.0', '3.0 0.0'],
    ['-1.0 1.0', '2.5 0.0'],
    ['-1.5 1.0', '2.0 0.0'],
  ],
  [
    ['-2.1 1.0', '3.1 0.0'],
    ['-1.1 1.0', '2.6 0.0'],
    ['-1.6 1.0', '2.1 0.0'],
  ],
] as const

export const lastStep = (more = eigenvalues(STATES) + densities): string =>
  `<calculation>${electronicStep('-10.5', '-10.45', {
    alphaZ: '3.0',
    ewald: '-21.0',
    hartreedc: '-5.0',
    XCdc: '2.0',
    pawpsdc: '7.0',
    pawaedc: '-8.0',
    eentropy: '-0.1',
    bandstr: '-90.0',
    atom: '101.6',
  })}${structure('4.1', RELAXED)}${vectors('forces', ['0.0 0.0 0.02', '0.0 0.0 0.0', '0.0 0.0 -0.02'])}${vectors('stress', ['1.0 0.5 0', '0.5 2.0 0', '0 0 6.0'])}${energy({ e_fr_energy: '-10.5', e_wo_entrp: '-10.4', e_0_energy: '-0.1' })}<time name="totalsc"> 5.2 5.5</time>${more}</calculation>`

const GRID = `<kpoints><generation param="Gamma"><v type="int" name="divisions"> 2 2 2 </v><v name="usershift"> 0.0 0.0 0.0 </v></generation>${vectors('kpointlist', ['0.0 0.0 0.0', '0.5 0.0 0.0', '0.5 0.5 0.0'])}${vectors('weights', ['0.25', '0.5', '0.25'])}</kpoints>`

export const pathPoints = (way: string): string =>
  `<kpoints>${way}${vectors('kpointlist', ['0.0 0.0 0.0', '0.25 0.0 0.0', '0.5 0.0 0.0'])}${vectors('weights', ['1', '1', '1'])}</kpoints>`

export const PARAMETERS = `<separator name="general" ><i type="string" name="SYSTEM">Magnesia</i><i type="logical" name="LCOMPAT"> F  </i></separator><separator name="electronic" ><i name="ENMAX"> 520.0</i><i type="int" name="ISMEAR"> 0</i><i name="SIGMA"> 0.05</i><separator name="electronic convergence" ><i type="int" name="NELM"> 60</i></separator></separator><separator name="ionic" ><i type="int" name="NSW"> 9</i><i type="int" name="IBRION"> 2</i></separator><separator name="electronic exchange-correlation" ><i type="string" name="GGA">--</i><i name="CSHIFT"> 0.1</i></separator><separator name="response functions" ><i name="CSHIFT"> -0.1</i><i type="int" name="NELM"> 60</i></separator>`

const ATOMS = `<atominfo><atoms> 3 </atoms><types> 2 </types><array name="atoms" ><dimension dim="1">ion</dimension><field type="string">element</field><field type="int">atomtype</field><set><rc><c>Mg</c><c> 1</c></rc><rc><c>Mg</c><c> 1</c></rc><rc><c>X </c><c> 2</c></rc></set></array><array name="atomtypes" ><dimension dim="1">type</dimension><field type="int">atomspertype</field><field type="string">element</field><field>mass</field><field>valence</field><field type="string">pseudopotential</field><set><rc><c> 2</c><c>Mg</c><c> 24.3</c><c> 2.0</c><c> PAW_PBE Mg 13Apr2007 </c></rc><rc><c> 1</c><c>X </c><c> 131.3</c><c> 8.0</c><c> PAW_PBE Xe 07Sep2000 </c></rc></set></array></atominfo>`

const SELECTIVE = vectors('selective', ['F  F  F', 'T  T  F', 'T  T  T'], 'type="logical" ')

/** Text of a relaxation in two steps. */
export function vasprunText(parts: VasprunParts = {}): string {
  return `<?xml version="1.0" encoding="ISO-8859-1"?>
<modeling>
 <generator><i name="program" type="string">vasp </i><i name="version" type="string">6.4.2 </i><i name="date" type="string">2024 03 07 </i><i name="time" type="string">08:09:10 </i></generator>
 <incar>${parts.incar ?? '<i type="string" name="PREC">accurate</i><i name="ENCUT"> 520.0</i><v name="MAGMOM"> 0.6 0.6 1.0</v><i type="logical" name="LWAVE"> F  </i>'}</incar>
 ${parts.kPoints ?? GRID}
 <parameters>${parts.parameters ?? PARAMETERS}</parameters>
 ${parts.atoms ?? ATOMS}
 ${parts.initial ?? structure('4.2', INITIAL, 'initialpos')}
 ${parts.steps ?? firstStep + lastStep()}
 ${parts.end ?? `${structure('4.1', RELAXED, 'finalpos', SELECTIVE)}\n</modeling>`}
`
}
