import type { JsonObject } from '../../lib/json.ts'

/** Looks like a file or folder, and like nothing else. */
export const looksLikePath = (text: string): boolean =>
  /^(\.|~|\/|[\w.-]+\/)|\.\w{1,5}$/.test(text) && !/\s|:\/\/|^[\d.]+$/.test(text) && text.length <= LONGEST_PATH

/** May be a path and not a sentence: no line breaks, and blanks only together with a slash, backslash, dot or tilde. */
export const mayBePath = (text: string): boolean =>
  text.length <= LONGEST_PATH && !text.includes('\n') && (/[/\\.~]/.test(text) || !/\s/.test(text))

const LONGEST_PATH = 4096

/** Fields that may name the folder which other fields of the input start from. */
export const mayNameFolder = (name: string): boolean =>
  /^((working|work|base|parent|project|workspace|repo(sitory)?|root)?_?(directory|dir|folder|path|root)|cwd|root|base|parent|location|where|in|at|within|under|inside|project|workspace|repo(sitory)?)$/i.test(
    name,
  ) && !/^path$/i.test(name)

/** Every relative path in each of the folders. */
export const joinPaths = (folders: readonly string[], files: readonly string[]): readonly string[] =>
  folders
    .slice(0, 4)
    .flatMap(folder =>
      files.flatMap(file =>
        /^([/~]|\w+:)/.test(file) || file === folder ? [] : `${folder.replace(/\/+$/, '')}/${file}`,
      ),
    )

const SAVED_AS = /^(out|output|dest|destination|to|target|save_?(as|to)|out_?(file|put_?(file|path))|local_?path|as)$/i

/** Beside a URL: the path that the page is saved to. */
export function savedPathsIn(record: JsonObject): readonly string[] {
  const texts = Object.entries(record).filter((value): value is [string, string] => typeof value[1] === 'string')
  if (!texts.some(([, text]) => /^https?:\/\//i.test(text))) return []
  return texts.flatMap(([name, text]) =>
    SAVED_AS.test(name) && text !== '' && mayBePath(text) && !/^https?:/i.test(text) ? [text] : [],
  )
}
