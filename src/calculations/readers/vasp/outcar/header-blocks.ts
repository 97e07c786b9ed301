import { type Json, setOwnField } from '../../../../kernel/json.ts'
import { readNumber, wordsOf } from '../../../../structure/formats/common/text.ts'
import { isRule, type LineBlock } from './line-block.ts'

/** Tags of a report: those that the program used. */
export type OutcarTags = Record<string, Json>

/** Tags with a value for each kind of atom, or for each component. */
const LISTS = new Set([
  'POMASS',
  'ZVAL',
  'RWIGS',
  'VCA',
  'ROPT',
  'LDAUL',
  'LDAUU',
  'LDAUJ',
  'DIPOL',
  'MAGMOM',
  'QSPIRAL',
  'SAXIS',
])
/** Tags with a text of several words. */
const TEXTS = new Set(['SYSTEM', 'POSCAR'])
const MOST_TAGS = 2000
/** Characters that are read of the name of a tag, and of its value. */
const LONGEST_TAG = 500

/** Lines of tags up to a rule. Takes lines without tags too: they are titles. */
export function tagsBlock(tags: OutcarTags): LineBlock {
  return {
    take: (line) => {
      if (/^\s*-{40}/.test(line)) return false
      readTags(line, tags)
      return true
    },
  }
}

/** Reads the tags of a line, which may have several: `NELM = 60; NELMIN= 2`. The name of a tag is the last word before the sign. */
export function readTags(line: string, tags: OutcarTags): void {
  if (!line.includes('=')) return
  const isText = TEXTS.has(nameBefore(line, line.indexOf('=')))
  for (const part of isText ? [line] : line.split(';')) {
    const sign = part.indexOf('=')
    const name = nameBefore(part, sign)
    if (name === '' || Object.hasOwn(tags, name) || Object.keys(tags).length >= MOST_TAGS) continue
    setOwnField(tags, name, valueOfTag(name, part.slice(sign + 1, sign + LONGEST_TAG).trim()))
    if (name === 'LDAUTYPE') setOwnField(tags, 'LDAU', true)
  }
}

/** Last word of a text before a place; empty where it is no name. */
function nameBefore(text: string, end: number): string {
  const word = wordsOf(text.slice(Math.max(0, end - LONGEST_TAG), Math.max(0, end))).at(-1) ?? ''
  return /^[A-Za-z]\w*$/.test(word) ? word : ''
}

function valueOfTag(name: string, text: string): Json {
  if (TEXTS.has(name))
    return text
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim()
  const words = wordsOf(text)
  if (!LISTS.has(name)) return valueOfWord(words[0] ?? '')
  const numbers = words.map(readNumber)
  const end = numbers.indexOf(undefined)
  return (end < 0 ? numbers : numbers.slice(0, end)).map((number) => number ?? 0)
}

function valueOfWord(word: string): Json {
  if (/^\.?t(?:rue\.)?$/i.test(word)) return true
  if (/^\.?f(?:alse\.)?$/i.test(word)) return false
  return readNumber(word) ?? word
}

/** Lines of potentials, which begin with a title each. The text of potentials belongs to those who licence them: of each the title and the functional are read, and the other lines are counted. */
export function potentialsBlock(
  take: (what: { readonly title?: string; readonly exchange?: string }) => void,
  count: () => void,
): LineBlock {
  return {
    take: (line) => {
      if (/^ ?(?:POSCAR:|KPOINTS:|-{60})/.test(line) || /^\s*exchange correlation table/.test(line)) return false
      const title = /^\s*TITEL\s*=\s*(\S.*)$/.exec(line.slice(0, LONGEST_TAG))?.[1]?.trim()
      const exchange = /^\s*LEXCH\s*=\s*(\S+)/.exec(line)?.[1]
      if (title !== undefined) take({ title })
      else if (exchange !== undefined) take({ exchange })
      else if (!isRule(line)) count()
      return true
    },
  }
}
