// `node --require`d by hooks that tell of the past: their clock is so much behind.
const behind = Number(process.env.STORY_BEHIND_MS ?? 0)
const Now = Date
globalThis.Date = class extends Now {
  constructor(...args) {
    if (args.length === 0) super(Now.now() - behind)
    else super(...args)
  }

  static now = () => Now.now() - behind
}
