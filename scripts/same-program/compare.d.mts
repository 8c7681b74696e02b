/** What differs between two programs, each given as path → text, but for names and places. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  options?: {
    /** old path → new path */
    readonly moves?: ReadonlyMap<string, string>
    /** the same, where nothing better is known */
    readonly guesses?: ReadonlyMap<string, string>
    /** old name → new name, for properties and strings that may be renamed */
    readonly properties?: ReadonlyMap<string, string>
    /** modules, by their old path, that something loads as a file of its own */
    readonly entries?: readonly string[]
  },
): Promise<{ readonly problems: readonly string[]; readonly notes: readonly string[] }>
