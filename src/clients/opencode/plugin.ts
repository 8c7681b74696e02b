export interface PluginSettings {
  /** program and arguments that run Signalbox, e.g. `['node', '/path/to/signalbox/bin/signalbox.cjs']` */
  readonly command: readonly string[]
  /** what happens to a call when the hook cannot be run, hangs or prints garbage */
  readonly onError: 'open' | 'closed'
  /** how long the hook may take */
  readonly timeoutMs?: number
}

/**
 * The plugin that opencode loads: one plain ES module without dependencies. It passes each hook's input to
 * `signalbox hook --client opencode` and applies the reply. Throwing before a call denies it; the model reads the error's text.
 */
export const renderPlugin = ({ command, onError, timeoutMs = 10_000 }: PluginSettings): string =>
  [
    '// Signalbox for opencode. Signalbox writes this file: your changes are lost when it is written again.',
    "import { spawn } from 'node:child_process'\n",
    `const { command, onError, timeoutMs } = ${JSON.stringify({ command, onError, timeoutMs })}`,
    pluginSource(),
  ].join('\n')

/** Runs inside opencode, so it may use the clock and processes, which this folder must not. A function: the hook never builds the text. */
const pluginSource = () => String.raw`const MOST = 4_000_000

// opencode passes the same output object to every plugin: if this plugin is loaded twice, the hook runs once
const seen = (globalThis[Symbol.for('signalbox.seen')] ??= new WeakSet())
const once = thing => !seen.has(thing) && Boolean(seen.add(thing))

class Denied extends Error {}

export const SignalboxPlugin = async ({ client, directory }) => {
  const sessions = new Map() // id -> { parent, agent }
  const denied = new Set() // denied calls, which never ran
  const commands = new Set() // sessions whose next message comes from a slash command
  const held = new Map() // sessions that continue because a stop was denied -> the reason
  let servers = []

  // one after another: opencode does not wait for events, and they must not overtake calls
  let last = Promise.resolve()
  const inTurn = work => (last = last.then(work, work))

  const show = message => {
    try {
      const body = { title: 'Signalbox', message, variant: 'warning' }
      Promise.resolve(client.tui?.showToast({ body })).catch(() => {})
    } catch {}
  }

  // --- the caller

  const learn = info => {
    if (!info?.id) return
    sessions.set(info.id, { parent: info.parentID, agent: info.agent ?? sessions.get(info.id)?.agent })
  }
  const sessionOf = async id => {
    if (!sessions.has(id)) {
      const late = new Promise(done => setTimeout(done, 2000).unref?.())
      const found = await Promise.race([Promise.resolve(client.session.get({ path: { id } })).catch(() => {}), late])
      learn(found?.data)
    }
    return sessions.get(id)
  }
  const callerIn = async id => {
    const own = await sessionOf(id)
    if (!own) return { session_id: id, caller: 'unknown' }
    if (!own.parent) return { session_id: id, caller: 'main', agent_type: own.agent }
    const line = [id]
    for (let next = own.parent; next && !line.includes(next); next = (await sessionOf(next))?.parent) line.push(next)
    return { session_id: line.at(-1), caller: 'agent', agent_id: id, agent_type: own.agent }
  }

  // --- the hook

  const run = payload =>
    new Promise(done => {
      const [program, ...args] = command
      const chunks = { stdout: '', stderr: '' }
      let child
      let timer
      const end = result => {
        clearTimeout(timer)
        done(result)
      }
      const giveUp = why => {
        end({ failed: why })
        child?.kill()
        setTimeout(() => child?.kill('SIGKILL'), 500).unref?.()
        child?.stdout?.destroy()
        child?.stderr?.destroy()
      }
      timer = setTimeout(() => giveUp('no reply within ' + timeoutMs / 1000 + ' s'), timeoutMs)
      try {
        const hook = ['hook', '--client', 'opencode', '--event', payload.hook_event_name, '--on-error', onError]
        child = spawn(program, [...args, ...hook], { cwd: directory })
        child.on('error', error => giveUp(String(error.message)))
        for (const stream of ['stdout', 'stderr'])
          child[stream].on('data', chunk => {
            chunks[stream] += chunk
            if (chunks[stream].length > MOST) giveUp('the hook printed more than 4 MB')
          })
        child.on('close', (code, signal) => end(understood(code, signal, chunks)))
        child.stdin.on('error', () => {})
        child.stdin.end(JSON.stringify(payload))
      } catch (error) {
        giveUp(String(error?.message ?? error))
      }
    })

  const KEYS = ['decision', 'reason', 'context', 'message', 'input', 'continue']
  const understood = (code, signal, { stdout, stderr }) => {
    if (code === 2) return { decision: 'deny', reason: stderr.trim() || 'Denied by the Signalbox policy.' }
    if (code !== 0) return { failed: 'the hook ended with ' + (signal ?? code) }
    if (stdout.trim() === '') return {}
    try {
      const words = JSON.parse(stdout)
      const isTable = value => typeof value === 'object' && value !== null && !Array.isArray(value)
      const ours = isTable(words) && Object.keys(words).every(key => KEYS.includes(key))
      const known = ours && (words.decision === undefined || (words.decision === 'deny' && typeof words.reason === 'string'))
      if (known && (words.input === undefined || isTable(words.input))) return words
    } catch {}
    return { failed: 'the hook did not print a valid reply' }
  }

  const ask = (name, id, payload) =>
    inTurn(async () => {
      const caller = await callerIn(id)
      const timestamp = (new Date).toISOString()
      return run({ hook_event_name: name, ...caller, cwd: directory, timestamp, ...payload })
    })

  /** The reply of the hook, or the declared failure answer. */
  const answerTo = async (name, id, payload) => {
    let words
    try {
      words = await ask(name, id, payload)
    } catch (error) {
      words = { failed: String(error?.message ?? error) }
    }
    if (words.failed !== undefined) {
      if (name === 'tool.execute.before' && onError === 'closed')
        throw new Denied(
          'signalbox: this call could not be evaluated, so the policy denies it: ' + words.failed + '. Tell the user.',
        )
      show('allowed without a check: ' + words.failed)
      return {}
    }
    if (typeof words.message === 'string') show(words.message)
    if (words.continue === false) Promise.resolve(client.session.abort({ path: { id } })).catch(() => {})
    return words
  }

  const mcpOf = tool => {
    const plain = name => name.replace(/[^a-zA-Z0-9_-]/g, '_')
    const [server] = servers.filter(name => tool.startsWith(plain(name) + '_')).sort((a, b) => b.length - a.length)
    return server === undefined ? {} : { mcp: { server, tool: tool.slice(plain(server).length + 1) } }
  }

  // --- events of opencode

  const EVENTS = {
    'session.created': event => answerTo(event.type, event.properties.info.id, { properties: event.properties }),
    'session.deleted': async event => {
      const { id } = event.properties.info
      if (!sessions.get(id)?.parent) await answerTo(event.type, id, { properties: event.properties })
      sessions.delete(id)
    },
    'message.part.updated': async event => {
      const { part } = event.properties
      if (part?.type !== 'tool' || part.state?.status !== 'error' || denied.delete(part.callID)) return
      await answerTo(event.type, part.sessionID, { ...mcpOf(part.tool), properties: event.properties })
    },
    'session.idle': async event => {
      const id = event.properties.sessionID
      if ((await sessionOf(id))?.parent) return
      const going = held.has(id)
      const { decision, reason } = await answerTo(event.type, id, { stop_hook_active: going })
      held.delete(id)
      if (decision !== 'deny') return
      held.set(id, reason)
      const body = { parts: [{ type: 'text', text: reason }] }
      await client.session.promptAsync({ path: { id }, body })
    },
  }

  return {
    config: async config => {
      servers = Object.keys(config?.mcp ?? {})
    },

    event: async ({ event }) => {
      if (event?.type === 'session.created' || event?.type === 'session.updated') learn(event.properties?.info)
      if (!event || !Object.hasOwn(EVENTS, event.type) || !once(event)) return
      try {
        await EVENTS[event.type](event)
      } catch (error) {
        show(String(error?.message ?? error))
      }
    },

    'command.execute.before': async ({ sessionID }) => {
      commands.add(sessionID)
    },

    'chat.message': async (input, output) => {
      if (!once(output)) return
      const id = input.sessionID
      const own = await sessionOf(id)
      if (own) own.agent = output.message?.agent ?? input.agent ?? own.agent
      const texts = output.parts.filter(part => part.type === 'text')
      const ours = held.has(id) && texts.some(part => part.text === held.get(id))
      if (!ours) held.delete(id)
      const made = ours || (texts.length > 0 && texts.every(part => part.synthetic))
      const source = made ? 'system' : commands.delete(id) ? 'command' : 'user'
      const { decision, reason, context } = await answerTo('chat.message', id, {
        source,
        input,
        output: { message: output.message, parts: texts },
      })
      const base = { sessionID: id, messageID: output.message?.id, type: 'text' }
      const lastId = output.parts.at(-1)?.id ?? 'prt_signalbox'
      if (decision === 'deny') {
        const text = "The policy of this project denied the user's prompt: " + reason + '\nTell the user.'
        output.parts.splice(0, output.parts.length, { ...base, id: lastId, text })
      }
      if (typeof context === 'string') output.parts.push({ ...base, id: lastId + 's', text: context, synthetic: true })
    },

    'tool.execute.before': async (input, output) => {
      if (!once(output)) return
      try {
        const words = await answerTo('tool.execute.before', input.sessionID, { ...mcpOf(input.tool), input, output })
        if (words.decision === 'deny') {
          // opencode shows that the call failed, but not why
          show(words.reason)
          throw new Denied(words.reason)
        }
        if (words.input && typeof words.input === 'object') {
          for (const key of Object.keys(output.args)) delete output.args[key]
          Object.assign(output.args, words.input)
        }
      } catch (error) {
        denied.add(input.callID)
        throw error
      }
    },

    'tool.execute.after': async (input, output) => {
      if (!once(output)) return
      const { title, metadata } = output
      const said = { title, output: output.output, metadata }
      const words = await answerTo('tool.execute.after', input.sessionID, { ...mcpOf(input.tool), input, output: said })
      if (typeof words.context !== 'string') return
      if (typeof output.output === 'string') output.output += '\n\n' + words.context
      else if (Array.isArray(output.content)) output.content.push({ type: 'text', text: words.context })
    },

    'experimental.session.compacting': async input => {
      await answerTo('experimental.session.compacting', input.sessionID, { input })
    },
  }
}
`
