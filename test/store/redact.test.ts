import { describe, expect, it } from 'vitest'
import { toCommandLine } from '../../src/engine/index.ts'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { redact, redactAndTruncate, redactRecord } from '../../src/store/redact/redact.ts'
import { recordOf } from '../support/store/records.ts'
import * as first from './secret-shapes.ts'
import { hex, made, PLAIN } from './secret-shapes.ts'
import * as more from './secret-shapes-more.ts'

const UPPER = made(16, 'ABCDEFGHIJKLMNOP234567')
const jwt = `eyJ${made(33)}.eyJ${made(60)}.${made(43)}`
const X = '[redacted]'
const SHAPES = { ...first.SHAPES, ...more.MORE_SHAPES }
const LOOK_ALIKES = [...first.LOOK_ALIKES, ...more.MORE_LOOK_ALIKES]
const shapes = Object.values(SHAPES).flat()
const textOf = (shape: string): string => shape.replace(/[«»]/g, '')
const leftOf = (shape: string): string => shape.replace(/«[^»]*»/g, X)

/** What may stand around a text without being part of it. */
const PLACES: readonly (readonly [before: string, after: string])[] = [
  ['first\n', '\nlast'],
  ['a --flag\n', '\n'],
  ['{}\n', '\n"quoted"'],
  ["it's\n", "\nisn't"],
]

/** The parts of a text that are hidden. */
function hiddenIn(text: string, left: string): readonly string[] {
  const kept = left.split(X)
  let at = kept[0]?.length ?? 0
  return kept.slice(1).map((next, nth) => {
    const end = nth === kept.length - 2 ? text.length - next.length : text.indexOf(next, at + 1)
    const part = text.slice(at, end)
    at = end + next.length
    return part
  })
}

const secrets: readonly [name: string, text: string, left: string][] = [
  ['AWS access key id', `aws configure set aws_access_key_id AKIA${UPPER}`, `aws configure set aws_access_key_id ${X}`],
  ['AWS temporary key id', `run echo ASIA${UPPER}`, `run echo ${X}`],
  ['AWS secret key', `AWS_SECRET_ACCESS_KEY=${made(40)} aws s3 ls`, `AWS_SECRET_ACCESS_KEY=${X} aws s3 ls`],
  ['AWS secret in a credentials file', `aws_secret_access_key = "${made(40)}"`, `aws_secret_access_key = ${X}`],
  ['GitHub classic token', `git clone https://ghp_${made(36)}@github.com/a/b`, `git clone https://${X}@github.com/a/b`],
  ['GitHub app token', `curl -H x ghs_${made(36)}`, `curl -H x ${X}`],
  ['GitHub fine-grained token', `gh auth github_pat_${made(82)}`, `gh auth ${X}`],
  ['GitLab token', `glab auth login -t glpat-${made(20)}`, `glab auth login -t ${X}`],
  ['GitLab runner token', `register glrt-${made(20)}`, `register ${X}`],
  ['npm token', `npm config set //r.example/:_x npm_${made(36)}`, `npm config set //r.example/:_x ${X}`],
  ['npmrc', `//registry.npmjs.org/:_authToken=${made(36)}`, `//registry.npmjs.org/:_authToken=${X}`],
  ['PyPI token', `twine upload -p pypi-${made(120)}`, `twine upload -p ${X}`],
  ['RubyGems key', `gem push --key rubygems_${hex(48)}`, `gem push --key ${X}`],
  ['Slack bot token', `curl -d xoxb-${made(12, '123456')}-${made(24)}`, `curl -d ${X}`],
  ['Slack app token', `run xapp-1-${made(30)}`, `run ${X}`],
  [
    'Slack webhook',
    `curl https://hooks.slack.com/services/T0/B0/${made(24)}`,
    `curl https://hooks.slack.com/services/${X}`,
  ],
  [
    'Discord webhook',
    `https://discord.com/api/webhooks/12345/${made(60)}`,
    `https://discord.com/api/webhooks/12345/${X}`,
  ],
  ['Stripe live key', `stripe listen sk_live_${made(24)}`, `stripe listen ${X}`],
  ['Stripe restricted key', `run rk_test_${made(24)}`, `run ${X}`],
  ['Stripe webhook secret', `run whsec_${made(32)}`, `run ${X}`],
  ['OpenAI key', `codex --with sk-${made(48)}`, `codex --with ${X}`],
  ['OpenAI project key', `run sk-proj-${made(40)}_${made(40)}`, `run ${X}`],
  ['Anthropic key', `run sk-ant-api03-${made(90)}`, `run ${X}`],
  ['Google API key', `fetch https://maps.example/x?a=1&q=AIza${made(35)}`, `fetch https://maps.example/x?a=1&q=${X}`],
  ['Google OAuth token', `curl -H 'x: ya29.${made(60)}'`, `curl -H 'x: ${X}'`],
  ['Google client secret', `run GOCSPX-${made(28)}`, `run ${X}`],
  ['JWT', `run decode ${jwt}`, `run decode ${X}`],
  ['Hugging Face token', `hf_${made(34)}`, X],
  ['Docker token', `docker login with dckr_pat_${made(27)}`, `docker login with ${X}`],
  ['DigitalOcean token', `doctl auth init dop_v1_${hex(64)}`, `doctl auth init ${X}`],
  ['Shopify token', `run shpat_${hex(32)}`, `run ${X}`],
  ['SendGrid key', `run SG.${made(22)}.${made(43)}`, `run ${X}`],
  ['Linear key', `run lin_api_${made(40)}`, `run ${X}`],
  ['Vault token', `vault login hvs.${made(90)}`, `vault login ${X}`],
  ['Telegram bot token', `https://api.telegram.org/bot x 123456789:${made(35)}`, `https://api.telegram.org/bot x ${X}`],
  [
    'private key',
    `cat <<E\n-----BEGIN RSA PRIVATE KEY-----\n${made(60)}\n-----END RSA PRIVATE KEY-----\nE`,
    `cat <<E\n${X}\nE`,
  ],
  [
    'OpenSSH key',
    `echo '-----BEGIN OPENSSH PRIVATE KEY-----\n${made(60)}\n-----END OPENSSH PRIVATE KEY-----'`,
    `echo '${X}'`,
  ],
  ['private key that was cut', `a -----BEGIN PRIVATE KEY-----\n${made(60)}`, `a ${X}`],
  ['PGP key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${made(9)}\n-----END PGP PRIVATE KEY BLOCK-----`, X],
  ['Authorization: Bearer', `curl -H 'Authorization: Bearer ${made(12)}' x`, `curl -H 'Authorization: Bearer ${X}' x`],
  ['Authorization: Basic', `curl -H "authorization: Basic dXNlcjpwYXNz" x`, `curl -H "authorization: Basic ${X}" x`],
  ['Authorization without a scheme', `Authorization: ${made(9)}`, `Authorization: ${X}`],
  ['bearer alone', `run say bearer ${made(30)}`, `run say bearer ${X}`],
  ['X-Api-Key', `curl -H 'X-Api-Key: ${made(20)}'`, `curl -H 'X-Api-Key: ${X}'`],
  ['PRIVATE-TOKEN', `curl --header "PRIVATE-TOKEN: ${made(20)}"`, `curl --header "PRIVATE-TOKEN: ${X}"`],
  ['Cookie', `curl -H 'Cookie: sid=${made(20)}; a=b'`, `curl -H 'Cookie: ${X}'`],
  ['password=', 'psql "host=h password=hunter2 dbname=d"', `psql "host=h password=${X} dbname=d"`],
  ['--password x', 'login --password hunter2 --verbose', `login --password ${X} --verbose`],
  ['--password=x', 'login --password=hunter2', `login --password=${X}`],
  ['--password "x y"', 'login --password "hunter two" now', `login --password ${X} now`],
  ['--token x', 'deploy --auth-token abcdef -v', `deploy --auth-token ${X} -v`],
  ['--api-key x', 'run tool --api-key abc', `run tool --api-key ${X}`],
  ['--client-secret x', 'az login --client-secret abc', `az login --client-secret ${X}`],
  ['mysql -px', 'mysql -u root -phunter2 db', `mysql -u root -p${X} db`],
  ['mysqldump -px', 'mysqldump -h h -phunter2 db', `mysqldump -h h -p${X} db`],
  ['sshpass', 'sshpass -p hunter2 ssh h', `sshpass -p ${X} ssh h`],
  ['redis-cli -a', 'redis-cli -h h -a hunter2 ping', `redis-cli -h h -a ${X} ping`],
  ['curl -u', 'curl -u admin:hunter2 https://h', `curl -u admin:${X} https://h`],
  ['URL with a password', 'git push https://me:hunter2@h.example/r.git', `git push https://me:${X}@h.example/r.git`],
  ['postgres URL', 'postgres://u:p4ss@db:5432/x', `postgres://u:${X}@db:5432/x`],
  ['mongodb+srv URL', 'mongodb+srv://u:p4ss@c.example/x', `mongodb+srv://u:${X}@c.example/x`],
  ['redis URL without a user', 'redis://:p4ss@h:6379', `redis://:${X}@h:6379`],
  ['.env SECRET', 'echo SESSION_SECRET=abc >> .env', `echo SESSION_SECRET=${X} >> .env`],
  ['.env TOKEN', 'BOT_TOKEN=abcdefg node x', `BOT_TOKEN=${X} node x`],
  ['.env quoted', `export DB_PASSWORD='a b c'`, `export DB_PASSWORD=${X}`],
  ['.env KEY', 'STRIPE_KEY=abcdefghi npm start', `STRIPE_KEY=${X} npm start`],
  ['Rails', 'SECRET_KEY_BASE=abcdef rails s', `SECRET_KEY_BASE=${X} rails s`],
  ['PGPASSWORD', 'PGPASSWORD=x psql', `PGPASSWORD=${X} psql`],
  ['query string', 'fetch https://h/x?token=abc123&y=1', `fetch https://h/x?token=${X}&y=1`],
  ['JSON', `curl -d '{"password":"hunter2","a":1}'`, `curl -d '{"password":${X},"a":1}'`],
  ['YAML', 'password: hunter2', `password: ${X}`],
  [
    'ADO connection string',
    'Server=h;User Id=u;Password=abc;Database=d',
    `Server=h;User Id=u;Password=${X};Database=d`,
  ],
  ['Pwd= connection string', 'Server=h;Uid=u;Pwd=abc;', `Server=h;Uid=u;Pwd=${X};`],
  ['Azure storage', `AccountName=a;AccountKey=${made(86)}==;E=x`, `AccountName=a;AccountKey=${X};E=x`],
]

const harmless: readonly string[] = [
  'run git show 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'run git checkout 9fceb02',
  'session d1339dd2-a210-4b5c-8a31-5d7755943b6c',
  `sha512-${made(86)}==`,
  `read node_modules/.cache/${hex(64)}.json`,
  `sha256:${hex(64)}`,
  'read public/img/iVBORw0KGgoAAAANSUhEUgAAAAUA.png',
  'read src/auth/token.ts',
  'write test/fixtures/password-reset.spec.ts',
  'run grep -rn token src',
  'run grep -rn "password" src/login.ts',
  'search the secret of the old key',
  'run npm test -- --reporter=verbose',
  'run mkdir -p src/a/b',
  'run ssh -p 2222 host',
  'run ssh -p2222 host',
  'run cp -pR a b',
  'run docker run -u 1000:1000 image',
  'run git push -u origin main',
  'run mysql -u root -p db',
  'run llm --max-tokens 1024',
  'run tool --token-limit=50 --tokens 5',
  'run login --password-stdin',
  'run vault --password-file ./pw.txt',
  'run curl -H "Authorization: Bearer $TOKEN" https://h',
  'run deploy --token $DEPLOY_TOKEN',
  'run TOKEN=$(cat f) node x',
  'run echo API_KEY=$' + '{KEY}',
  'GITHUB_TOKEN=$' + '{{ secrets.GITHUB_TOKEN }}',
  'token: a word that stands for something',
  'the password: it is needed by the user',
  'TOKEN_FILE=/run/secrets/t node x',
  'PWD=/home/dev/proj OLDPWD=/tmp make',
  'primary_key=id sort-key=name monkey=banana',
  'tokenizer=bert passwordless=true',
  'git clone git@github.com:owner/repo.git',
  'fetch https://example.com:8080/a@b/c',
  'fetch https://user@example.com/x',
  'npm install @scope/pkg@1.2.3 lodash@^4.17.21',
  'run python -m sk-learn-contrib.something',
  'run docker compose up api-key-service',
  'run node --experimental-strip-types --test-name-pattern=token',
  'run kubectl get secret my-secret -o yaml',
  'run gh secret list',
  'read ~/.ssh/id_ed25519.pub',
  'feature/ghp-support-for-the-new-tokens-page',
  'const token = getToken()',
  'password=',
  'secret=true',
  'run ls -la --time-style=long-iso',
]

describe('a secret is hidden, and what it was the secret of is not', () => {
  it.each(secrets)('%s', (_, text, left) => {
    expect(redact(text)).toBe(left)
  })
})

describe('what only looks like one stays', () => {
  it.each(harmless)('%s', text => {
    expect(redact(text)).toBe(text)
  })
})

describe.each(Object.entries(SHAPES))('in %s', (_, shapes) => {
  it.each(shapes)('%s', shape => {
    expect(redact(textOf(shape))).toBe(leftOf(shape))
  })
})

describe('look-alikes', () => {
  it.each(LOOK_ALIKES)('%s', text => {
    expect(redact(text)).toBe(text)
  })
})

const all = [
  ...secrets.map(([, text, left]) => ({ text, left })),
  ...shapes.map(one => ({ text: textOf(one), left: leftOf(one) })),
]

describe('the table', () => {
  it('is long, and names nothing twice', () => {
    expect(all.length).toBeGreaterThanOrEqual(250)
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length)
    expect(harmless.length + LOOK_ALIKES.length).toBeGreaterThanOrEqual(180)
  })

  // a key that was cut off goes on to the end
  const whole = all.filter(({ text }) => !text.includes('BEGIN') || text.includes('END'))
  it.each(whole)('holds wherever it stands: $text', ({ text, left }) => {
    expect(redact(left)).toBe(left)
    for (const [before, after] of PLACES) {
      expect(redact(`${before}${text}${after}`)).toBe(`${before}${left}${after}`)
    }
  })

  it.each(all)('leaves no half of it at the cut: $text', ({ text, left }) => {
    const halves = hiddenIn(text, left)
      .filter(part => part.length >= 8)
      .map(part => part.slice(0, 8))
    for (let length = 0; length <= 220; length += 3) {
      const kept = redactAndTruncate(`${'-'.repeat(length)}\n${text}\n${'-'.repeat(200)}`)
      expect(halves.filter(half => kept.includes(half) && !left.includes(half))).toEqual([])
    }
  })
})

describe('long texts', () => {
  it('are cut, and known by their hash', () => {
    expect(redactAndTruncate('a'.repeat(200))).toBe('a'.repeat(200))
    expect(redactAndTruncate('a'.repeat(201))).toMatch(/^a{200}… \(201 characters, sha256 [0-9a-f]{64}\)$/)
  })

  it('show no half of a secret at the cut', () => {
    expect(redactAndTruncate(`${'a '.repeat(95)} ghp_${made(36)} and more`)).not.toContain('ghp_')
  })

  it('keep nothing of what is not read', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(63_900)}\n-----END PRIVATE KEY-----`
    for (let blanks = 0; blanks < 60; blanks += 1) {
      const kept = redactAndTruncate(
        `${key}${' '.repeat(blanks)}ghp_${made(36)} ${'b'.repeat(100_000)} --password hunter2`,
      )
      expect(kept).toMatch(/^\[redacted\] *(?:\[redacted\] )?… \(\d+ characters, sha256 [0-9a-f]{64}\)$/)
    }
  })
})

/** What the trail is given of a line: its quotes are gone, and others are set where they are needed. */
const actsOf = (line: string): string[] =>
  analyseShellLine(line).acts.map(({ action, words }) => `${action} ${words ? toCommandLine(words) : ''}`)

describe('a line as a record has it', () => {
  const lines = shapes.map(textOf).filter(line => actsOf(line).some(act => act.includes(PLAIN)))
  it.each(lines)('%s', line => {
    const acts = actsOf(line)
    expect(redactRecord(recordOf({ acts })).acts.filter(act => act.includes(PLAIN))).toEqual([])
  })

  const wraps: readonly ((line: string) => string)[] = [
    line => line,
    line => `${line} | tail -5`,
    line => `cd app && ${line}`,
    line => `(${line}; ls) 2>&1`,
    line => `${line}\nnpm test | tail`,
  ]
  it('as it was typed: what is hidden in its acts stands in it nowhere', () => {
    const all = lines.flatMap(line => wraps.map(wrap => wrap(line)))
    const kept = all.map(line => ({ line, record: redactRecord(recordOf({ acts: actsOf(line), line })) }))
    const hidden = kept.filter(({ record }) => !record.acts.some(act => act.includes(PLAIN)))
    expect(hidden.length).toBeGreaterThan(lines.length)
    expect(hidden.filter(({ record }) => record.line?.includes(PLAIN)).map(({ line }) => line)).toEqual([])
    // most are kept: it is not that none is
    expect(hidden.filter(({ record }) => record.line !== undefined).length).toBeGreaterThan(hidden.length / 2)
  })

  it.each([
    ['npm test | tail -5', 'npm test | tail -5'],
    ['cat > a <<EOF\nx\nEOF\nls | wc', 'cat > a <<EOF …\nls | wc'],
    ["cat <<-'E.O' | sh\n\trm x\n\tE.O", "cat <<-'E.O' | sh …"],
    ['cat <<EOF | sh\nrm x\n', undefined],
    [`echo ${'x'.repeat(3000)} | cat`, undefined],
    ['grep a <<< b | cat', 'grep a <<< b | cat'],
  ])('as it was typed: %j', (line, left) => {
    expect(redactRecord(recordOf({ acts: actsOf(line), line })).line).toBe(left)
  })

  it.each(LOOK_ALIKES.slice(-45 - more.MORE_LOOK_ALIKES.length))('stays: %s', line => {
    const acts = actsOf(line)
    expect(redactRecord(recordOf({ acts })).acts).toEqual(acts)
  })
})

describe('a record', () => {
  it('keeps the first acts of a line that does a great deal, and the hash of the rest', () => {
    const acts = Array.from({ length: 30 }, (_, nth) => `run echo ${nth}`)
    const kept = redactRecord(recordOf({ acts })).acts
    expect(kept.slice(0, 20)).toEqual(acts.slice(0, 20))
    expect(kept.slice(20)).toEqual([expect.stringMatching(/^… and 10 more \(sha256 [0-9a-f]{64}\)$/)])
    const others = redactRecord(recordOf({ acts: [...acts.slice(0, 29), 'run rm x'] })).acts
    expect(others.at(-1)).not.toBe(kept.at(-1))
  })

  it('hides what is fed to one of the acts that are not kept', () => {
    const acts = [
      ...Array.from({ length: 19 }, () => 'run ls'),
      `run echo ${PLAIN}`,
      'run docker login --password-stdin h',
    ]
    expect(redactRecord(recordOf({ acts })).acts[19]).toBe(`run echo ${X}`)
  })

  it('that holds nothing to hide is kept as it is', () => {
    const record = recordOf()
    expect(redactRecord(record)).toBe(record)
  })

  it('is cleaned in every text that an agent could have written', () => {
    const secret = `ghp_${made(36)}`
    const kept = redactRecord(
      recordOf({
        session: 's'.repeat(300),
        agent: `agent \u202e${secret}`,
        name: `name ${secret}`,
        caller: `agent ${secret}`,
        tool: `tool ${secret}`,
        acts: [`run echo ${secret}`],
        notes: [`note ${secret}`],
        errors: [`error ${secret}`],
        reason: `no ${secret}`,
      }),
    )
    expect(kept).toEqual(
      recordOf({
        session: 's'.repeat(200),
        agent: `agent \ufffd${X}`,
        name: `name ${X}`,
        caller: `agent ${X}`,
        tool: `tool ${X}`,
        acts: [`run echo ${X}`],
        notes: [`note ${X}`],
        errors: [`error ${X}`],
        reason: `no ${X}`,
      }),
    )
  })

  it.each<[string, string[], string[]]>([
    [
      'a password',
      ['run echo hunter2', 'run docker login --password-stdin h'],
      [`run echo ${X}`, 'run docker login --password-stdin h'],
    ],
    [
      'a token',
      ['run printf %s abc', 'run gh auth login --with-token'],
      [`run printf ${X}`, 'run gh auth login --with-token'],
    ],
    ['the password of a person', ['run echo u:abc', 'run chpasswd'], [`run echo ${X}`, 'run chpasswd']],
    ['settings', [`run echo 'A=b c'`, 'write /p/.env'], [`run echo ${X}`, 'write /p/.env']],
    [
      'settings of one place',
      ['run echo A=b', 'run tee -a x', 'write /p/prod.env'],
      [`run echo ${X}`, 'run tee -a x', 'write /p/prod.env'],
    ],
    [
      'the password of a certificate',
      ['run curl --cert c.pem:abc https://h', 'read /p/c.pem:abc', 'fetch https://h'],
      [`run curl --cert c.pem:${X} https://h`, `read /p/c.pem:${X}`, 'fetch https://h'],
    ],
    [
      'a variable',
      ['run echo …', 'run docker login --password-stdin h'],
      ['run echo …', 'run docker login --password-stdin h'],
    ],
    [
      'nothing',
      ['run echo hunter2', 'run sudo ls', 'write /p/environment'],
      ['run echo hunter2', 'run sudo ls', 'write /p/environment'],
    ],
  ])('hides what one command prints for another: %s', (_, acts, kept) => {
    expect(redactRecord(recordOf({ acts })).acts).toEqual(kept)
  })

  it('keeps a reason whole, but not endless', () => {
    const reason = 'Run the tests first. '.repeat(50)
    expect(redactRecord(recordOf({ reason })).reason).toBe(reason)
    expect(redactRecord(recordOf({ reason: 'x'.repeat(70_000) })).reason).toMatch(
      /^x{4000}… \(70000 characters, sha256 /,
    )
  })
})

it('the id of a session is the text of a client, and is kept like any other', () => {
  const of = (session: string) => redactRecord(recordOf({ session })).session
  const uuid = '0199c7a2-7d53-7c10-9ad4-2f2c3b6d9a11'
  expect([uuid, 'ses_66c1f1b6effeJ0kTxzK4wQnJr1', 'session-2026-11-16T04-12-ab12cd34', ''].map(of)).toEqual([
    uuid,
    'ses_66c1f1b6effeJ0kTxzK4wQnJr1',
    'session-2026-11-16T04-12-ab12cd34',
    '',
  ])
  expect(of(`sess-ghp_${made(36)}`)).toBe(`sess-${X}`)
  expect(of('a\u001b[2J\u202eb\u009b31m')).toBe('a\ufffd[2J\ufffdb\ufffd31m')
  expect(of('x '.repeat(500))).toBe('x '.repeat(100))
})
