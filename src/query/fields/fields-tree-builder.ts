import type { FieldsLeaf, FieldsTree } from '../ast/fields.ts'
import type { FieldPath } from '../ast/path.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal, show } from '../parse/parse-context.ts'

interface GrowingBranch {
  readonly kind: 'branch'
  readonly children: Map<string, GrowingBranch | FieldsLeaf>
}

/** Grows the tree of a projection path by path, and refuses two paths that say different things about one field. */
export class FieldsTreeBuilder {
  readonly #root: GrowingBranch = { kind: 'branch', children: new Map() }

  add(path: FieldPath, leaf: FieldsLeaf, context: ParseContext): void {
    let branch = this.#root
    for (const part of path.parts.slice(0, -1)) {
      const next = branch.children.get(part) ?? { kind: 'branch', children: new Map() }
      if (next.kind !== 'branch') throw collision(path, context)
      branch.children.set(part, next)
      branch = next
    }
    const last = path.parts.at(-1) ?? ''
    if (branch.children.has(last)) throw collision(path, context)
    branch.children.set(last, leaf)
  }

  /** `_id` belongs to every inclusion that does not mention it. */
  includeIdUnlessNamed(): void {
    if (!this.#root.children.has('_id')) this.#root.children.set('_id', { kind: 'include' })
  }

  build(): FieldsTree {
    return this.#root.children
  }
}

function collision(path: FieldPath, context: ParseContext): Error {
  return refusal(
    context,
    QUERY_ERRORS.invalidFields,
    `${show(path.text)} at ${context.place} collides with another path: one is the same field or lies within the other.`,
    'Name each field once, by the shorter or by the longer path.',
  )
}
