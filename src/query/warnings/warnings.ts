import { defineWarnings } from '../../kernel/warnings.ts'

/** What a request of the query language probably does not mean; each was answered as MongoDB would answer it. */
export const QUERY_WARNINGS = defineWarnings({
  unknownField: { code: 20001, title: 'No record that the asker can see has a field that the request names.' },
})
