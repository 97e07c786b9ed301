const RULE = '-'.repeat(104)

/** One electronic step of an OUTCAR of our own making, with numbers that are made up. */
export const iteration = (ionic: number, electronic: number, free: string): string => `
----------------------------------------- Iteration    ${ionic}(   ${electronic})  ---------------------------------------


    POTLOK:  cpu time    0.0048: real time    0.0049
 eigenvalue-minimisations  :   440
 number of electron      16.0000000 magnetization       2.0000000
 augmentation part        3.0000000 magnetization       1.2500000

 Free energy of the ion-electron system (eV)
  ---------------------------------------------------
  alpha Z        PSCENC =         3.50000000
  Ewald energy   TEWEN  =      -120.25000000
  -Hartree energ DENC   =       -14.98213005
  -exchange      EXHF   =         0.00000000
  -V(xc)+E(xc)   XCENC  =       -18.03171763
  PAW double counting   =        75.11358677      -40.10589356
  entropy T*S    EENTRO =        -0.10000000
  eigenvalues    EBANDS =         5.12145236
  atomic energy  EATOM  =       205.89114989
  Solvation  Ediel_sol  =         0.25000000
  ---------------------------------------------------
  free energy    TOTEN  =       ${free} eV

  energy without entropy =       -9.00000000  energy(sigma->0) =       -9.10000000
`

export const lattice = (
  edge: string,
): string => `      direct lattice vectors                 reciprocal lattice vectors
     ${edge}  0.000000000  0.000000000     0.238095238  0.000000000  0.000000000
     0.000000000  ${edge}  0.000000000     0.000000000  0.238095238  0.000000000
     0.000000000  0.000000000-${edge}     0.000000000  0.000000000 -0.238095238

  length of vectors
`

const table = (title: string, rows: readonly string[]): string => ` ${title}

# of ion     s       p       d       tot
----------------------------------------
${rows.join('\n')}
----------------------------------------
tot        0.500   0.250   0.250   1.000

`

export const BANDS = ` E-fermi :   1.5000     XC(G=0): -12.9840     alpha+bet :-13.0529

 spin component 1

 k-point     1 :       0.0000    0.0000    0.0000
  band No.  band energies     occupation
      1      -2.0000      1.00000
      2       3.0000      0.00000

 k-point     2 :       0.5000    0.0000    0.0000
  band No.  band energies     occupation
      1      -1.0000      1.00000
      2       2.5000      0.00000

 spin component 2

 k-point     1 :       0.0000    0.0000    0.0000
  band No.  band energies     occupation
      1      -2.1000      1.00000
      2       2.0000      0.00000

 k-point     2 :       0.5000    0.0000    0.0000
  band No.  band energies     occupation
      1      -1.1000      1.00000
      2       2.6000      0.00000


${RULE}
`

export const moments = (axis: string, values: readonly [string, string]): string =>
  table(`magnetization (${axis})`, [
    `  1        0.100   0.200   0.300   ${values[0]}`,
    `  2        0.100   0.200   0.300   ${values[1]}`,
  ])

/** What stands at the end of an ionic step. */
export const stepEnd = (
  edge: string,
  places: readonly string[],
  energies: readonly [string, string, string],
): string => `
  FORCE on cell =-STRESS in cart. coord.  units (eV):
  Direction    XX          YY          ZZ          XY          YZ          ZX
  --------------------------------------------------------------------------------------
  Alpha Z     3.29318     3.29318     3.29318
  Ewald     -75.64833   -75.64833   -75.64833     0.00000    -0.00000     0.00000
  -------------------------------------------------------------------------------------
  Total       0.38858     0.38858     0.38858    -0.00000    -0.00000     0.00000
  in kB      15.00000    16.00000    17.00000     0.50000     0.25000    -0.75000
  external pressure =       16.00 kB  Pullay stress =        0.00 kB


 VOLUME and BASIS-vectors are now :
 -----------------------------------------------------------------------------
  energy-cutoff  :      100.00
  volume of cell :       40.89
${lattice(edge)}

 POSITION                                       TOTAL-FORCE (eV/Angst)
 -----------------------------------------------------------------------------------
${places.join('\n')}
 -----------------------------------------------------------------------------------
    total drift:                               -0.000010      0.000020      0.000030


${RULE}



  FREE ENERGIE OF THE ION-ELECTRON SYSTEM (eV)
  ---------------------------------------------------
  free  energy   TOTEN  =       ${energies[0]} eV

  energy  without entropy=      ${energies[1]}  energy(sigma->0) =      ${energies[2]}

`

export const REACHED =
  '------------------------ aborting loop because EDIFF is reached ----------------------------------------\n'

export const FIRST_PLACES = [
  '      0.00000      0.00000      0.00000         0.300000      0.000000     -0.400000',
  '      2.10000      2.10000     -2.10000        -0.300000     -0.000000      0.400000',
]
export const LAST_PLACES = [
  '      0.04100      0.00000      0.00000         0.020000      0.000000      0.000000',
  '      2.05000      2.05000     -2.05000        -0.020000     -0.000000      0.000000',
]

export interface OutcarParts {
  readonly head?: string
  readonly header?: string
  readonly parameters?: string
  readonly steps?: string
  readonly end?: string
}

const POTENTIAL = (title: string, exchange: string): string => ` POTCAR:    ${title}
   VRHFIN =Mg: s2p0
   LEXCH  = ${exchange}
   EATOM  =    23.0369 eV,    1.6932 Ry

   TITEL  = ${title}
   LULTRA =        F    use ultrasoft PP ?
   POMASS =   24.305; ZVAL   =    2.000    mass and valenz
`

export const HEADER = ` INCAR:
   SYSTEM = Magnesia # a comment
   ENCUT = 500
   MAGMOM = 2*0.5
 POTCAR:    PAW_PBE Mg 13Apr2007
 POTCAR:    PAW_PBE O 08Apr2002
 ${'-'.repeat(77)}
|     W    W   AA    RRRRR   N    N  II  N    N   GGGG    !!!                 |
 ${'-'.repeat(77)}
${POTENTIAL('PAW_PBE Mg 13Apr2007', 'PE')}${POTENTIAL('PAW_PBE O 08Apr2002', 'PE')}
 POSCAR: MgO
 KPOINTS: a grid

Automatic generation of k-mesh.
 generate k-points for:    2    2    2

 Dimension of arrays:
   k-points           NKPTS =      2   k-points in BZ     NKDIM =      2   number of bands    NBANDS=      2
   number of dos      NEDOS =    301   number of ions     NIONS =      2
   ions per type =               1   1
 SYSTEM =  "Magnesia and more"
 POSCAR =  MgO

`

export const PARAMETERS = ` Startparameter for this run:
   PREC   = accura    normal or accurate (medium, high low for compatibility)
   ISPIN  =      2    spin polarized calculation?
   ENCUT  =  500.0 eV  36.75 Ry    6.06 a.u.   3.05  3.05  3.05*2*pi/ulx,y,z
   NELM   =     60;   NELMIN=  2; NELMDL= -5     # of ELM steps
   LREAL  =      F    real-space projection
   NSW    =      9    number of steps for IOM
   IBRION =      2    ionic relax: 0-MD 1-quasi-New 2-CG
   POMASS =  24.31 16.00
   ISMEAR =     0;   SIGMA  =   0.05  broadening in eV -4-tet -1-fermi 0-gaus
   GGA     =    --    GGA type
   LHFCALC =     F    Hartree Fock is set to
`

export const END = `
 reached required accuracy - stopping structural energy minimisation

 General timing and accounting informations for this job:
 ========================================================

                  Total CPU time used (sec):      124.312
                         Elapsed time (sec):      130.500

                   Maximum memory used (kb):       71236.
`

/** Text of a relaxation in two steps. */
export function outcarText(parts: OutcarParts = {}): string {
  return `${
    parts.head ??
    ` vasp.6.4.2 20Jul23 (build Mar 01 2024 10:00:00) complex

 executed on           LinuxIFC date 2024.03.07  08:09:10
 running on   16 total cores

`
  }${parts.header ?? HEADER}${parts.parameters ?? PARAMETERS}
${RULE}

  energy-cutoff  :      500.00
  volume of cell :       74.09
${lattice('4.200000000')}
 k-points in units of 2pi/SCALE and weight: a grid
   0.00000000  0.00000000  0.00000000       0.125
   0.11904762  0.00000000  0.00000000       0.875

 k-points in reciprocal lattice and weights: a grid
   0.00000000  0.00000000  0.00000000       0.125
   0.50000000  0.00000000  0.00000000       0.875

 position of ions in fractional coordinates (direct lattice)
   0.00000000  0.00000000  0.00000000
   0.50000100  0.50000000  0.50000000

 position of ions in cartesian coordinates  (Angst):
   0.00000000  0.00000000  0.00000000
   2.10000420  2.10000000 -2.10000000

${RULE}
${
  parts.steps ??
  iteration(1, 1, '-8.00000000') +
    iteration(1, 2, '-9.20000000') +
    REACHED +
    stepEnd('4.200000000', FIRST_PLACES, ['-9.20000000', '-9.00000000', '-9.10000000']) +
    iteration(2, 1, '-9.50000000') +
    REACHED +
    BANDS +
    stepEnd('4.100000000', LAST_PLACES, ['-9.50000000', '-9.30000000', '-9.40000000']) +
    moments('x', ['1.250', '-0.750'])
}${parts.end ?? END}`
}
