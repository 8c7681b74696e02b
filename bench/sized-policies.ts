/** Policies of a size, as people grow them. */

const gate = (name: string, initial: string, transitions: readonly string[], rule: string): string => `  ${name}:
    initial: ${initial}
    transitions:
${transitions.map(one => `      - ${one}`).join('\n')}
    rules: [${rule}]
`

const opens = (when: string): string => `{ from: closed, to: open, when: { ${when} } }`
const closes = (when: string): string => `{ from: open, to: closed, when: { ${when} } }`

/** Work in a part of the project is tested before it is pushed. */
const own = (n: number): string =>
  gate(
    `own-${n}`,
    'open',
    [
      closes(`event: tool.before, action: write, path: pkg${n}/`),
      opens(`event: tool.after, command: make test-${n}, succeeded: true`),
    ],
    `{ while: closed, when: { command: git push }, then: deny, message: Run make test-${n}., suggest: make test-${n} }`,
  )

/** A review every so many operations. */
const review = (n: number): string =>
  gate(
    `review-${n}`,
    'open',
    [closes(`since: { opened: { operations: ${20 + n} } }`), opens(`event: agent.stop, agent: reviewer-${n}`)],
    `{ while: closed, when: { action: write }, then: deny, message: Review first., suggest: { agent: reviewer-${n} } }`,
  )

/** A plan for every prompt. */
const plan = (n: number): string =>
  gate(
    `plan-${n}`,
    'closed',
    [opens(`event: tool.after, action: write, path: PLAN-${n}.md`), closes('event: prompt.submit')],
    `{ while: closed, when: { action: write, path: src${n}/ }, then: deny, message: Plan first. }`,
  )

/** What is generated is generated again before the turn ends. */
const generated = (n: number): string =>
  gate(
    `generated-${n}`,
    'open',
    [
      closes(`event: tool.before, action: write, path: schema${n}/`),
      opens(`event: tool.after, command: make generate-${n}, succeeded: true`),
    ],
    `{ while: closed, when: { event: turn.stop }, then: deny, message: Run make generate-${n}., limit: 2 }`,
  )

/** One that asks for another gate. */
const release = (n: number): string =>
  gate(
    `release-${n}`,
    'closed',
    [
      opens(`event: tool.after, command: make stage-${n}, succeeded: true, gate: { own-${n}: open }`),
      closes(`event: tool.before, action: write, path: pkg${n}/`),
    ],
    `{ while: closed, when: { command: make release-${n} }, then: deny, message: Stage first., suggest: make stage-${n} }`,
  )

const KINDS = [own, review, plan, generated, release]

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('')

export const mixedGates = (count: number): string =>
  `gates:\n${many(count, at => KINDS[at % KINDS.length]?.(Math.floor(at / KINDS.length)) ?? '')}`

export const likeGates = (count: number): string => `gates:\n${many(count, own)}`

export const routes = (count: number): string =>
  `routes:\n${many(count, n =>
    n % 2 === 0
      ? `  t${n}: { url: "https://host${n}.example.com/:a/:b", message: "use tool ${n} for {a}" }\n`
      : `  r${n}: { pattern: 'service${n}\\.corp\\.net/[^/]+/item/\\d+', message: "use tool ${n}" }\n`,
  )}`

/** What it is, the policy, and how many seconds of CPU its proof may take. */
export const SIZED: readonly (readonly [name: string, policy: string, seconds: number])[] = [
  ['20 mixed gates', mixedGates(20), 5],
  ['100 like gates', likeGates(100), 5],
  ['1,000 routes', routes(1000), 3],
]
