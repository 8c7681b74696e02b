import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import decisionSchema from '../../packs/router-first/decision.schema.json'
import { type RoutingDecision, routeRequest, type WorkflowDescription } from '../../src/app/orchestrate/router/index.ts'

const ALONE = { workflows: [], chosen: {}, leader: null }
const workflow = (name: string, more: Partial<WorkflowDescription> = {}): WorkflowDescription => ({
  path: `@.claude/workflows/${name}.yaml`,
  name,
  about: '',
  intents: [],
  complexity: [],
  ...more,
})

describe('what a request is for', () => {
  it.each([
    ['the login page crashes on Safari, fix it and add a test', 'bug_fix', ['test']],
    ['add unit tests for utils/date.ts', 'test', []],
    ['fix typo in README', 'docs', ['bug_fix']],
    ['how does the auth middleware work?', 'question', []],
    ['refator this class, too much duplication', 'refactor', []],
    ['Füge ein Feld für die Telefonnummer hinzu', 'feature', []],
    ['écris des tests unitaires pour le panier', 'test', []],
    ['refactorise ce module', 'refactor', []],
    ['Prüfe den Code auf Sicherheitslücken', 'security_review', []],
  ])('%s', (request, intent, also) => {
    const decision = routeRequest(request)
    expect([decision.intent, decision.also]).toEqual([intent, expect.arrayContaining(also)])
    expect(decision.confidence).toBeGreaterThan(0.5)
    expect(decision.should_escalate).toBe(false)
  })

  it('what is not to be done does not count', () => {
    expect(routeRequest('speed up the importer, but no tests and without docs').also).toEqual([])
  })

  it.each([
    ['put the static site on s3 + cloudfront', 'aws'],
    ['deploy this to Cloud Run', 'gcp'],
    ['an azure function that writes to cosmos db', 'azure'],
    ['sort a list with a lambda', null],
    ['compare aws and gcp', null],
  ])('%s: the cloud is %s', (request, cloud) => {
    expect(routeRequest(request).cloud_provider).toBe(cloud)
  })

  it('says why, in words of the request', () => {
    expect(routeRequest('the cart crashes, fix it')).toEqual({
      intent: 'bug_fix',
      complexity: 'low',
      cloud_provider: null,
      workflow_selection: 'no workflow',
      confidence: expect.any(Number),
      reasoning: expect.stringMatching(
        /^`crashes`, `fix`: bug_fix \(\d\.\d\)\. .*No workflow: the project has no workflow\./,
      ),
      keywords_detected: ['crashes', 'fix'],
      should_escalate: false,
      escalation_target: null,
      also: [],
    })
  })
})

describe('what nobody can tell is told as that', () => {
  it.each([
    ['a script that no table has', 'زر تسجيل الدخول لا يعمل، أصلحه من فضلك', /script that the router does not know/],
    ['Thai', 'ปุ่มล็อกอินกดไม่ได้', /script that the router does not know/],
    ['Russian', 'проверь код на уязвимости', /script that the router does not know/],
    ['Chinese', '这个函数是做什么的', /script that the router does not know/],
    ['Japanese', 'このプルリクエストをレビューして', /script that the router does not know/],
    ['Korean', '의존성 업데이트해줘', /script that the router does not know/],
    ['a language that no table has', 'napisz coś dla koszyka proszę', /The router knows none of its words/],
    ['no word at all', '### --- !!!', /The request contains no words/],
  ])('%s', (_, request, why) => {
    const { confidence, should_escalate, escalation_target, reasoning } = routeRequest(request, {
      ...ALONE,
      leader: 'lead',
    })
    expect({ should_escalate, escalation_target }).toEqual({ should_escalate: true, escalation_target: 'lead' })
    expect(confidence).toBeLessThan(0.3)
    expect(reasoning).toMatch(why)
  })

  it('nobody is named who is not there', () => {
    expect(routeRequest('ปุ่มล็อกอิน')).toMatchObject({ should_escalate: true, escalation_target: null })
  })

  it('of a megabyte the ends are read, and that is said', () => {
    const request = `fix this crash\n${'0x00 lorem ipsum dolor\n'.repeat(50_000)}`
    const { intent, reasoning } = routeRequest(request)
    expect(intent).toBe('bug_fix')
    expect(reasoning).toMatch(/1,\d{3},\d{3} characters in the middle were not read/)
  })
})

describe('every request has a decision that the gate takes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          'fix',
          'test',
          '修复',
          '테스트',
          '\u0000',
          '\u001b[31m',
          '"}',
          '\ud800',
          "l'",
          '*',
          '^fix',
          '?',
        ),
        { maxLength: 40 },
      )
      .map(words => words.join(' ')),
  )

  it('whatever it is made of', () => {
    fc.assert(
      fc.property(text, request => {
        const decision = routeRequest(request)
        expect(problemsOf(decision)).toEqual([])
        // it reaches a terminal and an agent
        expect(JSON.stringify(decision)).not.toMatch(/\\u00[01]/)
        expect(routeRequest(request)).toEqual(decision)
      }),
      { numRuns: 500 },
    )
  })
})

/** The shape that the pack's gate asks for. */
function problemsOf(decision: RoutingDecision): readonly string[] {
  const { intent, complexity, workflow_selection, confidence, cloud_provider } = decision
  const { properties, required } = decisionSchema
  return [
    ...required.filter(key => !(key in decision)),
    ...(intent.trim() && workflow_selection.trim() ? [] : ['blank']),
    ...(properties.complexity.enum.includes(complexity) ? [] : ['complexity']),
    ...(properties.cloud_provider.enum.includes(cloud_provider) ? [] : ['cloud_provider']),
    ...(confidence >= properties.confidence.minimum && confidence <= properties.confidence.maximum
      ? []
      : ['confidence']),
  ]
}

describe('which workflow', () => {
  const select = (request: string, workflows: readonly WorkflowDescription[], chosen = {}) =>
    routeRequest(request, { workflows, chosen, leader: null }).workflow_selection

  it('the policy decides, by intent and complexity, for a workflow of the project or any other', () => {
    const own = [workflow('mend'), workflow('bug-fix-flow')]
    expect(select('fix the crash', own, { bug_fix: 'mend' })).toBe('@.claude/workflows/mend.yaml')
    expect(select('fix the crash', own, { bug_fix: { high: 'x', any: 'y' } })).toBe('y')
    expect(select('fix the crash', own, { bug_fix: { high: 'x' }, any: 'z' })).toBe('z')
    expect(select('fix the crash', own, { docs: 'x' })).toBe('@.claude/workflows/bug-fix-flow.yaml')
  })

  it('a file that names intents is for those and no others', () => {
    const own = [workflow('bug-fix', { intents: ['docs'] }), workflow('w', { intents: ['bug_fix'] })]
    expect(select('fix the crash', own)).toBe('@.claude/workflows/w.yaml')
    expect(select('review my last commit', own)).toBe('no workflow')
  })

  it('a file that names a complexity is for that', () => {
    const own = [workflow('a', { intents: ['bug_fix'], complexity: ['high'] }), workflow('b', { intents: ['bug_fix'] })]
    expect(select('fix the crash', own)).toBe('@.claude/workflows/b.yaml')
  })

  it('else it is known by its name and by what it says', () => {
    const own = [
      workflow('greenfield-fullstack', { about: 'Create a new full-stack application from scratch' }),
      workflow('mobile-flow', { about: 'iOS and Android apps' }),
      workflow('code-review-flow'),
      workflow('quick-flow', { about: 'bug fixes and small changes' }),
    ]
    expect(select('build an enterprise web application from scratch', own)).toContain('greenfield-fullstack')
    expect(select('add push notifications to our flutter app', own)).toContain('mobile-flow')
    expect(select('review my last commit', own)).toContain('code-review-flow')
    expect(select('fix the crash', own)).toContain('quick-flow')
  })

  it('work of several parts goes to whoever leads it', () => {
    const request = 'build an enterprise saas platform from scratch with billing, microservices and kubernetes'
    expect(routeRequest(request, { ...ALONE, leader: 'lead' })).toMatchObject({
      complexity: 'high',
      should_escalate: true,
      escalation_target: 'lead',
    })
  })
})
