/** The type of every answer that has a body, except where lines are streamed. */
export const JSON_TYPE = 'application/json; charset=utf-8'
