export interface Compiler {
  readonly command: readonly string[]
  readonly flags: readonly string[]
}
export const SOURCES: readonly string[]
export const NAME: string
export function compile(
  command: readonly string[],
  how: { readonly sources?: readonly string[]; readonly flags?: readonly string[]; readonly out: string },
): string
export function hostCompilers(): Compiler[]
export function buildForHost(out: string, sources?: readonly string[]): string | undefined
