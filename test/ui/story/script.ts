/**
 * Sessions of the shop. A line is a step:
 * `> text` a prompt · `$ line` a command that succeeds · `! line` one that fails · `r path` reads · `w path` edits · `f url` fetches ·
 * `+agent` an agent begins (`+agent2`: one more of that type) · `-agent` ends · `@agent step` a step of it · `… minutes` nothing happens
 */
export interface Told {
  readonly client: 'claude-code' | 'codex-cli' | 'gemini-cli'
  readonly session: string
  /** how long ago it ended, in minutes */
  readonly ended: number
  readonly steps: readonly string[]
}

const MAIN: readonly string[] = [
  '> The cart shows the wrong total when a coupon is used twice. Find out why, fix it, and push.',
  '$ git status',
  'r src/cart.ts',
  'r src/coupon.ts',
  '$ git log --oneline -5',
  '+explorer',
  '@explorer $ grep -rn applyCoupon src',
  '+explorer2',
  '@explorer r src/checkout/total.ts',
  '@explorer2 $ git log -3 -- src/coupon.ts',
  '@explorer r test/cart.test.ts',
  '@explorer r src/checkout/tax.ts',
  '@explorer2 r src/checkout/cart-view.ts',
  '-explorer',
  '-explorer2',
  'f https://github.com/acme/shop/pull/412',
  '$ gh pr view 412 --repo acme/shop',
  'w src/cart.ts',
  'w test/cart.test.ts',
  '! npm test',
  'r src/coupon.ts',
  'w src/coupon.ts',
  '$ git commit -am "count a coupon once"',
  '$ git push origin fix/coupon-twice',
  '$ git push origin fix/coupon-twice',
  '$ npm test',
  '$ git push origin fix/coupon-twice',
  '… 38',
  '> Let somebody review it, then merge.',
  '+reviewer',
  '@reviewer $ git diff main...fix/coupon-twice',
  '@reviewer r src/coupon.ts',
  '@reviewer w src/coupon.ts',
  '+tester',
  '@tester $ npm test -- cart',
  '@reviewer r test/cart.test.ts',
  '@tester w test/coupon.test.ts',
  '@tester $ npm test',
  '-tester',
  '-reviewer',
  '$ git diff --stat',
  '$ git commit -am "a test for two coupons"',
  '$ npm run migrate -- --dry-run',
  '$ psql shop_dev -c "select code, used from coupons limit 5"',
  '$ gh pr merge 412 --squash',
  '$ git push --force origin fix/coupon-twice',
  '$ npm test',
  '$ git push origin fix/coupon-twice',
]

const STUCK: readonly string[] = [
  '> Bump the payment library and push to main.',
  'r package.json',
  '$ npm install payments@8',
  '! npm test',
  '$ git commit -am "payments 8"',
  '$ git push origin main',
  '$ git push origin main',
  '$ git push -u origin main',
  '! npm test',
  '$ git push origin HEAD:main',
  '$ git push origin main',
  '$ git push origin main',
]

const RENAME: readonly string[] = [
  '> Rename the price field.',
  'r src/price.ts',
  'w src/price.ts',
  '$ npm test',
  '$ git commit -am "rename price"',
  '$ git push origin main',
]

const RED: readonly string[] = [
  '> Why is the build red?',
  '$ gh run list --limit 5',
  'f https://github.com/acme/shop/issues/377',
  'r .github/workflows/ci.yml',
  'w .github/workflows/ci.yml',
  '$ git commit -am "pin node"',
  '$ git push origin main',
  '$ npm test',
  '$ git push origin main',
]

const COLUMN: readonly string[] = [
  '> Add a discount column.',
  'r db/schema.sql',
  'w db/migrations/031-discount.sql',
  '$ npm run migrate',
  '$ npm test',
  '$ git commit -am "discount column"',
  '$ gh pr create --fill',
  '$ gh pr merge --squash',
]

const SLOW: readonly string[] = [
  '> Look at the slow query on the orders page.',
  'r src/orders.ts',
  '$ psql shop_dev -c "explain analyze select * from orders"',
  'w src/orders.ts',
  '! npm test',
  'w src/orders.ts',
  '$ git commit -am "index orders by day"',
  '$ git push origin perf/orders',
  '$ npm test',
  '$ git push origin perf/orders',
]

const DOCS: readonly string[] = [
  '> Bring the README up to date.',
  'r README.md',
  '$ git log --oneline -20',
  'f https://github.com/acme/shop/pull/398',
  'w README.md',
  '$ git diff',
  '$ git commit -am "readme"',
]

const HOUR = 60
const DAY = 24 * HOUR

/** Who did what on an ordinary day, and how many minutes before its end. */
const ORDINARY: readonly Omit<Told, 'session'>[] = [
  { client: 'claude-code', ended: 12, steps: RED },
  { client: 'gemini-cli', ended: 61, steps: DOCS },
  { client: 'claude-code', ended: 118, steps: SLOW },
  { client: 'codex-cli', ended: 165, steps: COLUMN },
  { client: 'claude-code', ended: 204, steps: RENAME },
  { client: 'claude-code', ended: 251, steps: RED },
]

/** As many of them as a day of that week had. */
const BUSY = [3, 5, 2, 6, 4, 5]

const BEFORE: readonly Told[] = BUSY.flatMap((many, nth) => {
  const day = BUSY.length - nth
  return ORDINARY.slice(0, many).map((one, at) => ({
    ...one,
    session: `${(0x9e3779b1 * (day * 7 + at + 3)).toString(16).slice(-8)}-5d77-4e0c-9c41-0f6be2d1a0${day}${at}`,
    ended: day * DAY + one.ended,
  }))
})

/** Beside each other, by when they ended. */
export const STORY: readonly Told[] = [
  ...BEFORE,
  { client: 'gemini-cli', session: 'e8cf522e-aff1-42ee-b9ea-69ebd626bfa7', ended: 190, steps: DOCS },
  { client: 'claude-code', session: '9b04d1f7-6c0e-4a55-8f0d-2f6c1f0f7a11', ended: 120, steps: SLOW },
  { client: 'claude-code', session: '7d20c4ae-2b1c-4d7f-9a34-8e51c07b1c55', ended: 74, steps: COLUMN },
  { client: 'codex-cli', session: '01a1de10-1b38-7482-82cf-6acd2e1e5cc6', ended: 6, steps: STUCK },
  { client: 'claude-code', session: '4c1f88d2-a210-4b5c-8a31-5d7755943b6c', ended: 0.3, steps: MAIN },
]

export const MAIN_SESSION = '4c1f88d2-a210-4b5c-8a31-5d7755943b6c'

/** A few steps, for tests that want something to look at and no history. */
export const SHORT: readonly Told[] = [
  { client: 'codex-cli', session: '01a1de10-1b38-7482-82cf-6acd2e1e5cc6', ended: 0, steps: STUCK },
  { client: 'claude-code', session: MAIN_SESSION, ended: 0, steps: MAIN.slice(0, 27) },
]
