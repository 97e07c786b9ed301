import { createHash } from 'node:crypto'
import { isoInstant } from '../../src/kernel/clock.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { newId, type RandomSource } from '../../src/kernel/names.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { completeRecord, referenceTo, type ServerFields } from '../../src/records/work/complete-record.ts'
import { chooseOwner, type Owner, ownersOf } from './accounts.ts'
import { inventFields, inventTags } from './invent.ts'
import { mutate } from './mutate.ts'
import type { Prototype } from './prototypes.ts'
import { type Random, randomOf } from './random.ts'

/** What a data set is made from. */
export interface Recipe {
  readonly seed: number
  readonly prototypes: readonly Prototype[]
}

/** One record of the data set; a line of its file is this as JSON, with the document in place of its text. */
export interface GeneratedRecord {
  readonly id: string
  readonly accountId: string
  readonly isPublic: boolean
  /** The document as it is stored and served. */
  readonly text: string
}

/** Makes documents by their serial number; the same recipe and serial always make the same document. */
export interface DocumentMaker {
  /** A material as a client would send it. */
  readonly body: (serial: number) => JsonObject
  /** The same as the server would complete it for one of the owners. */
  readonly record: (serial: number) => Promise<GeneratedRecord>
}

const SHARE_OF_PUBLIC = 0.3
const SHARE_OF_FCC = 0.3
const FIRST_INSTANT = Date.UTC(2019, 0, 1)
const BETWEEN_INSTANTS_MS = 61_000

export function documentMaker({ seed, prototypes }: Recipe): DocumentMaker {
  const owners = ownersOf(seed)
  const fcc = prototypes.filter(({ lattice }) => lattice.type === 'FCC')
  const others = prototypes.filter(({ lattice }) => lattice.type !== 'FCC')
  const choosePrototype = (random: Random): Prototype => random.pick(random.chance(SHARE_OF_FCC) ? fcc : others)
  const body = (serial: number): JsonObject => {
    const random = randomOf(seed, serial)
    return materialOf(choosePrototype(random), serial, random)
  }
  const record = async (serial: number): Promise<GeneratedRecord> => {
    // not the stream of the body, so that both can be made by themselves
    const random = randomOf(~seed, serial)
    const owner = chooseOwner(owners, random)
    const isPublic = random.chance(SHARE_OF_PUBLIC)
    const id = newId(digestOf(seed, serial))
    const document = { ...body(serial), isPublic }
    const complete = completeRecord(materialKind, document, serverFields(id, owner, serial))
    return { id, accountId: owner.accountId, isPublic, text: JSON.stringify(asOfBeforeSymmetry(complete.document)) }
  }
  return { body, record }
}

/**
 * Leaves out the word that the symmetry was switched off: a server would find it in the background, and documents would change, and
 * processor time be taken, while it is measured.
 */
function asOfBeforeSymmetry(document: JsonObject): JsonObject {
  const checks = document.consistencyChecks as readonly JsonObject[]
  return { ...document, consistencyChecks: checks.filter(({ key }) => key !== 'spaceGroup') }
}

/** Writes a record as a line of the data set's file. */
export function lineOf({ id, accountId, isPublic, text }: GeneratedRecord): string {
  return `${JSON.stringify({ id, accountId, isPublic }).slice(0, -1)},"document":${text}}\n`
}

const DOCUMENT = ',"document":'

/** Reads a line without the document in it, whose text is taken as it is: the loader should cost little beside the store. */
export function splitLine(line: string): GeneratedRecord {
  const at = line.indexOf(DOCUMENT)
  const head = JSON.parse(`${line.slice(0, at)}}`) as Omit<GeneratedRecord, 'text'>
  return { ...head, text: line.slice(at + DOCUMENT.length, -1) }
}

function materialOf(prototype: Prototype, serial: number, random: Random): JsonObject {
  const { name, changes, sites, lattice, tags, metadata } = mutate(prototype, random)
  return {
    name: [name, ...changes, shuffledSerial(serial)].join(', '),
    tags: [...tags, ...inventTags(random)],
    basis: {
      elements: sites.map(({ element }, id) => ({ id, value: element })),
      coordinates: sites.map(({ coordinate }, id) => ({ id, value: coordinate })),
      units: 'crystal',
      name: 'basis',
    },
    lattice,
    metadata,
    ...inventFields(serial, random),
  }
}

/** Makes names unique, so that a sort by name has one right answer on every server, without sorting by age. */
function shuffledSerial(serial: number): string {
  return (Math.imul(serial, 0x9e3779b1) >>> 0).toString(36)
}

/** Ids have to differ in a million documents, for which the streams of `Random` are too few. */
function digestOf(seed: number, serial: number): RandomSource {
  const bytes = createHash('sha512').update(`${seed} ${serial}`).digest()
  return (size) => bytes.subarray(0, size)
}

function serverFields(id: string, owner: Owner, serial: number): ServerFields {
  const instant = isoInstant(FIRST_INSTANT + serial * BETWEEN_INSTANTS_MS)
  return {
    _id: id,
    isDefault: false,
    owner: referenceTo({ id: owner.accountId, slug: owner.name }, 'Account'),
    creator: referenceTo({ id: owner.userId, slug: owner.name }, 'User'),
    createdAt: instant,
    updatedAt: instant,
  }
}
