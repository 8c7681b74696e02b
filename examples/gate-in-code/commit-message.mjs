// @ts-check
import { defineGate, deny, pass } from 'signalbox'

const SUBJECT = /^(feat|fix|docs|refactor|perf|test|build|ci|chore)(\([\w-]+\))?!?: \S/
const HELP = 'Begin it with feat, fix, docs, refactor, perf, test, build, ci or chore, as in `fix(cart): round prices`.'

/** `-m`, `-am` */
const isMessageOption = (/** @type {string | null} */ word) => word !== null && /^-[a-z]*m$/.test(word)

export default defineGate({
  on: 'tool.before',
  judge(event) {
    for (const { words = [] } of event.call.actions) {
      const at = words.findIndex(isMessageOption)
      if (words[0] !== 'git' || words[1] !== 'commit' || at < 0) continue
      const message = words[at + 1] ?? null
      // only running the shell could tell the word: `git commit -m "$MESSAGE"`
      if (message === null) return deny('Write the commit message into the command, without variables.')
      if (!SUBJECT.test(message)) return deny(`The commit message is not a Conventional Commit. ${HELP}`)
    }
    return pass()
  },
})
