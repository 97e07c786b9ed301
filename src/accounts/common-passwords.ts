/** Tells whether a text is one of the passwords that are guessed first. */
export type IsCommon = (text: string) => boolean

/**
 * Loads some 49,000 of the most common passwords, in lower case. It takes some MiB and is seldom asked for: by those who give out
 * passwords, never by a login.
 */
export async function loadCommonPasswords(): Promise<IsCommon> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const list = new Set<string>(dictionary['passwords-common'].map((password) => password.toLowerCase()))
  return (text) => list.has(text)
}
