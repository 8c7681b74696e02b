/** As one word of a POSIX shell. fish reads it so too. */
export const quoteShellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
