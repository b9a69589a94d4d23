import { deriveSetupToken, readSetupState } from './accounts/first-account.ts'
import type { Config } from './config/config.ts'
import type { Database } from './database/connect.ts'
import { asApplication } from './database/start/as-owner.ts'
import { orStartupError } from './database/start/or-startup-error.ts'
import { findDemo } from './demo/find-demo.ts'
import type { Secrets } from './secrets.ts'

type Options = { db: Database; baseUrl: string; dataDir: string; setupToken: string; workers?: number }
type Demo = Awaited<ReturnType<typeof findDemo>>

/** Builds the announcement once the actual port is known. */
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
    asApplication(databaseUrl, (db) =>
      // PORT=0 picks any free port.
      formatAnnouncement({
        ...{ db, baseUrl: config.baseUrl.replace(/:0$/, `:${port}`), dataDir: config.dataDir },
        setupToken: deriveSetupToken(secrets),
        workers: config.workers,
      }),
    ),
  )

/** The text `npm start` prints: addresses, sign-in details and a first click to copy. */
export const formatAnnouncement = async ({
  db,
  baseUrl,
  dataDir,
  setupToken,
  workers = 1,
}: Options): Promise<string> => {
  const demo = await findDemo(db, dataDir)
  const setUp = await readSetupState(db)
  const { account, link } = demo
  const paragraphs = [
    `Tributary is running at ${baseUrl}`,
    formatList([
      ['Dashboard', baseUrl],
      ['API reference', `${baseUrl}/docs`],
      ['OpenAPI file', `${baseUrl}/openapi.json`],
      ['Operations', `${baseUrl}/healthz, /readyz, /metrics`],
      // process.pid, because SIGUSR2 would kill npm.
      ...(workers > 1 ? [replaceWorkersHint(workers)] : []),
    ]),
    ...(account ? signInToDemo(account, demo.programId, baseUrl) : []),
    ...(link ? recordFirstClick(link, baseUrl) : []),
    ...(setUp === 'in use' ? [] : createFirstAccount({ baseUrl, setupToken, isEmpty: setUp === 'empty' })),
    'Next: docs/guides/quickstart.md goes from here to a tracked sale. Press Ctrl-C to stop.',
  ]
  return `\n${paragraphs.join('\n\n').replace(/^(?=.)/gm, '  ')}\n`
}

const signInToDemo = (
  { email, password }: NonNullable<Demo['account']>,
  programId: Demo['programId'],
  baseUrl: string,
) => {
  const account = formatList([
    ['Demo email', email],
    ['Demo password', password ?? "changed, or stored in another instance's DATA_DIR"],
  ])
  if (password === null || programId === null) return [account]
  return [
    account,
    'Sign in to the demo and list its six weeks of sample traffic by day:',
    formatPost(`-c cookies.txt ${baseUrl}/api/auth/sign-in/email`, { email, password }),
    `  curl -s -b cookies.txt ${baseUrl}/api/tracking/performance/${programId}`,
  ]
}

const replaceWorkersHint = (workers: number): [string, string] => [
  `${workers} workers`,
  `kill -USR2 ${process.pid} replaces them one by one`,
]

const recordFirstClick = ({ aff }: NonNullable<Demo['link']>, baseUrl: string) => [
  'Record a first click on a demo referral link:',
  formatPost(`${baseUrl}/api/v1/track/click`, { affiliate_url: `https://acme-analytics.example/?aff=${aff}` }),
]

type FirstAccount = { baseUrl: string; setupToken: string; isEmpty: boolean }

/** Only other machines need the token, but until an account exists the printed link always carries it. */
const createFirstAccount = ({ baseUrl, setupToken, isEmpty }: FirstAccount) => [
  `Create ${isEmpty ? 'the first account' : 'your own account'}. Keep this link private until you have:`,
  `  ${baseUrl}/sign-up?setup=${setupToken}`,
  ...(isEmpty
    ? ['Or with a request:', formatPost(`-c cookies.txt ${baseUrl}/api/auth/sign-up/email`, exampleAccount(setupToken))]
    : []),
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
