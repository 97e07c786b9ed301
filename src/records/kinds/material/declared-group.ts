import { isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import {
  operatorsOfSetting,
  SPACE_GROUP_SETTINGS,
  spaceGroupSymbol,
} from '../../../structure/symmetry/space-group-setting.ts'

/** The field of a material under `symmetry` with the group that its file says. */
const DECLARED = 'declared'
const DECLARED_KEY = 'symmetry.declared'

/** The group that a file says its crystal has, as a material tells it. */
export function declaredSymmetry(number: number): JsonObject {
  return { [DECLARED]: { number, symbol: spaceGroupSymbol(number) } }
}

/** The group that a file says holds while the file stays and the structure is the one read. `kept` is the record as it was, if any. */
export function declaredGroupOf(document: JsonObject, kept: JsonObject | null | undefined): JsonObject | undefined {
  if (kept === null || !isJsonObject(ownField(document, 'src'))) return undefined
  const number = ownField(fieldOf(fieldOf(kept ?? document, 'symmetry'), DECLARED), 'number')
  return isGroupNumber(number) ? { number, symbol: spaceGroupSymbol(number) } : undefined
}

function isGroupNumber(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 230
}

function fieldOf(object: JsonObject, name: string): JsonObject {
  const value = ownField(object, name)
  return isJsonObject(value) ? value : {}
}

/** Says that the atoms of a file have another group than it says, mostly by a mistake. A file in P 1 says nothing of symmetry. */
export function checkDeclared(declared: JsonObject | undefined, spaceGroup: JsonObject | null): readonly JsonObject[] {
  if (declared === undefined || spaceGroup === null) return []
  const [said, found] = [Number(declared.number), Number(spaceGroup.number)]
  if (said === found || said === 1) return []
  const message = `The file says space group ${declared.symbol} (${said}), and its atoms have ${spaceGroup.symbol} (${found}).`
  const severity = rotationsOf(found) < rotationsOf(said) ? 'warning' : 'info'
  return [{ key: DECLARED_KEY, name: 'default', severity, message }]
}

/** Counts the rotations in the point group of a space group. */
function rotationsOf(number: number): number {
  const setting = SPACE_GROUP_SETTINGS.find((one) => one.number === number)
  if (setting === undefined) return 0
  return new Set(operatorsOfSetting(setting).map(({ rotation }) => rotation.join(';'))).size
}
