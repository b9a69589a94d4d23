import { VERSION } from '@tributary/contract/version'
import { deriveSetupToken, readSetupState } from '../accounts/first-account.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import { asApplication } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { findDemo } from '../demo/find-demo.ts'
import type { Secrets } from '../secrets.ts'

type Options = { db: Database; baseUrl: string; dataDir: string; setupToken: string; workers?: number }
type Demo = Awaited<ReturnType<typeof findDemo>>

/** What a start announces, once the actual port is known: text for a terminal, and fields for the log. */
export const buildAnnouncement = ({
  databaseUrl,
  config,
  secrets,
  port,
}: {
  databaseUrl: string
  config: Config
  secrets: Secrets
  port: number
}) =>
  orStartupError(
    asApplication(databaseUrl, async (db) => {
      // PORT=0 picks any free port.
      const baseUrl = config.baseUrl.replace(/:0$/, `:${port}`)
      const { dataDir, workers } = config
      const setupToken = deriveSetupToken(secrets)
      return {
        banner: await formatAnnouncement({ db, baseUrl, dataDir, setupToken, workers }),
        url: baseUrl,
        fields: await announcedFields(db, { baseUrl, dataDir, setupToken }),
      }
    }),
  )

/** The set-up link is useless once an account exists, and the demo's password opens only the demo. */
const announcedFields = async (db: Database, { baseUrl, dataDir, setupToken }: Omit<Options, 'db' | 'workers'>) => {
  const { account } = await findDemo(db, dataDir)
  return {
    pid: process.pid,
    ...((await readSetupState(db)) !== 'in use' && { setUpUrl: signUpUrl(baseUrl, setupToken) }),
    ...(account?.password && { demoEmail: account.email, demoPassword: account.password }),
  }
}

const signUpUrl = (baseUrl: string, setupToken: string) => `${baseUrl}/sign-up?setup=${setupToken}`

/** The text `npm start` prints: the address to open, sign-in details, other addresses and a first click to copy. */
export const formatAnnouncement = async ({
  db,
  baseUrl,
  dataDir,
  setupToken,
  workers = 1,
}: Options): Promise<string> => {
  const demo = await findDemo(db, dataDir)
  const setUp = await readSetupState(db)
  const { account, partner, link } = demo
  const paragraphs = [
    ...openInBrowser({ baseUrl, setupToken, setUp, account, partner }),
    `Tributary ${VERSION} is running at ${baseUrl}`,
    formatList([
      ['API reference', `${baseUrl}/docs`],
      ['OpenAPI file', `${baseUrl}/openapi.json`],
      ['Operations', `${baseUrl}/healthz, /readyz, /metrics`],
      // process.pid, because SIGUSR2 would kill npm.
      ...(workers > 1 ? [replaceWorkersHint(workers)] : []),
    ]),
    ...(account ? readDemoTraffic(account, demo.programId, baseUrl) : []),
    ...(link ? recordFirstClick(link, baseUrl) : []),
    ...(setUp === 'empty' ? createFirstAccount(baseUrl, setupToken) : []),
    'To continue in the browser, read docs/guides/run-your-program.md; with curl, docs/guides/quickstart.md. Press Ctrl-C to stop.',
  ]
  return `\n${paragraphs.join('\n\n').replace(/^(?=.)/gm, '  ')}\n`
}

type Start = {
  baseUrl: string
  setupToken: string
  setUp: Awaited<ReturnType<typeof readSetupState>>
  account: Demo['account']
  partner: Demo['partner']
}

/** Only other machines need the token, but until an account exists the printed link always carries it. */
const openInBrowser = ({ baseUrl, setupToken, setUp, account, partner }: Start) => {
  const firstUrl = signUpUrl(baseUrl, setupToken)
  const isPrivate = 'From another machine, only this link works: keep it private until you have created the account.'
  if (setUp === 'empty') return [`Open ${firstUrl} in your browser to create the first account.\n${isPrivate}`]
  return [
    `Open ${baseUrl} in your browser.`,
    ...(account ? [describeDemoAccount(account, partner)] : []),
    ...(setUp === 'in use' ? [] : [`To create your own account, open this link. ${isPrivate}\n  ${firstUrl}`]),
  ]
}

const describeDemoAccount = ({ email, password }: NonNullable<Demo['account']>, partner: Demo['partner']) =>
  formatList([
    ['Demo email', email],
    ['Demo password', password ?? "changed, or stored in another instance's DATA_DIR"],
    ...(partner && password !== null ? [describeDemoPartner(partner.email)] : []),
  ])

const describeDemoPartner = (email: string): [string, string] => [
  'Demo partner',
  `${email}, with the same password, opens the partner portal`,
]

const readDemoTraffic = (
  { email, password }: NonNullable<Demo['account']>,
  programId: Demo['programId'],
  baseUrl: string,
) =>
  password === null || programId === null
    ? []
    : [
        'Sign in to the demo and list its fourteen weeks of sample traffic by day:',
        formatPost(`-c cookies.txt ${baseUrl}/api/auth/sign-in/email`, { email, password }),
        `  curl -s -b cookies.txt ${baseUrl}/api/tracking/performance/${programId}`,
      ]

const replaceWorkersHint = (workers: number): [string, string] => [
  `${workers} workers`,
  `kill -USR2 ${process.pid} replaces them one by one`,
]

const recordFirstClick = ({ aff }: NonNullable<Demo['link']>, baseUrl: string) => [
  'Record a first click on a demo referral link:',
  formatPost(`${baseUrl}/api/v1/track/click`, { affiliate_url: `https://acme-analytics.example/?aff=${aff}` }),
]

const createFirstAccount = (baseUrl: string, setupToken: string) => [
  'Or create the first account with a request:',
  formatPost(`-c cookies.txt ${baseUrl}/api/auth/sign-up/email`, exampleAccount(setupToken)),
]

const exampleAccount = (setupToken: string) => ({
  name: 'Your name',
  email: 'you@example.com',
  password: 'choose-your-own',
  setupToken,
})

const formatList = (entries: [name: string, value: string][]) =>
  entries.map(([name, value]) => `  ${name.padEnd(16)}${value}`).join('\n')

/** A command for any POSIX shell. Values must not contain a single quote: see find-demo.ts and demo-sign-in.ts. */
const formatPost = (where: string, body: object) =>
  [`curl -s ${where}`, `-H 'content-type: application/json'`, `-d '${JSON.stringify(body)}'`]
    .map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`))
    .join(' \\\n')
