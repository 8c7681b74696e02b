/** What a whitelist of readers lets pass: every command only reads, nothing is written, and all of it was read. */
export function isCleared({ readable, acts }) {
  return (
    readable &&
    acts.every(({ opaque, action, onlyReads }) => {
      if (opaque) return false
      return action === 'run' ? onlyReads === true : action !== 'write' && action !== 'delete'
    })
  )
}

/** The line cannot be read, or a part of it cannot. */
export const isOpaque = ({ readable, acts }) => !readable || acts.some(act => act.opaque)
