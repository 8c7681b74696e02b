/** One word for POSIX shells, whatever is in it; fish reads it the same way. */
export const singleQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The same, but a word that no shell changes stays as it is. */
export const quoteShellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : singleQuote(word))

/** The text of a word that `singleQuote` wrote, without its outer quotes. */
export const unescapeSingleQuotes = (quoted: string): string => quoted.replaceAll("'\\''", "'")
