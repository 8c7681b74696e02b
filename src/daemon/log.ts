import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'

/** One more file of this size is kept. */
const LARGEST = 128 * 1024
const LONGEST_LINE = 500

/** What a person may want to know of the daemon afterwards. Nothing that goes wrong here is worth ending for. */
export class Log {
  constructor(private readonly file: string) {}

  write(line: string): void {
    try {
      const size = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0
      if (size > LARGEST) renameSync(this.file, `${this.file}.1`)
      const [first = ''] = line.split('\n', 1)
      const entry = `${new Date().toISOString()} ${process.pid} ${first.slice(0, LONGEST_LINE)}\n`
      appendFileSync(this.file, entry, { mode: 0o600 })
    } catch {
      // the disk may be full, or the folder gone
    }
  }
}

/** The latest lines, oldest first. */
export function readLog(file: string, { last }: { readonly last: number }): readonly string[] {
  const files = [`${file}.1`, file].filter(one => existsSync(one))
  return files.flatMap(one => readFileSync(one, 'utf8').split('\n').filter(Boolean)).slice(-last)
}
