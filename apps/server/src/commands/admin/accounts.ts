import { type Auth, createAuth } from '../../accounts/auth.ts'
import {
  findAccount,
  makeOwner,
  membershipsOf,
  newPassword,
  replaceSignIn,
  setPassword,
  withdrawInvitationsBy,
} from '../../accounts/operator.ts'
import { createSignUp } from '../../accounts/sign-ups.ts'
import { findWorkspace, lockWorkspace } from '../../accounts/workspaces.ts'
import { recordAudit } from '../../audit/audit-log.ts'
import { systemClock } from '../../clock.ts'
import { TRIBUTARY } from '../../config/command-name.ts'
import { StartupError } from '../../config/startup-error.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { partnershipsOf } from '../../partners/partner-users.ts'
import { findPrograms } from '../../programs/programs.ts'
import type { Terminal } from '../terminal.ts'
import { withErrorOutput } from '../terminal.ts'
import { type CommandContext, withServiceDatabase } from '../with-service-database.ts'
import { printTable } from './lists.ts'
import { readArguments, readEmail } from './read-arguments.ts'
import { BY_OPERATOR, recordAccountChange } from './record-account-change.ts'

const authOptions = ({ config, secrets }: CommandContext, printError: Terminal['printError']) => ({
  secret: secrets.sessionSecret,
  baseUrl: config.baseUrl,
  // The operator decides who may have an account.
  openSignup: true,
  onError: (_: string, cause: unknown) => printError(cause),
})

const printPassword = (print: Terminal['print'], email: string, password: string) => {
  print(`Email     ${email}`)
  print(`Password  ${password}`)
  print('The password is not shown again. Change it after signing in.')
}

type Owner = { user: { id: string; email: string }; workspaceId: string | undefined; workspaceName: string }

/** Makes the user an owner of the workspace, or of a new one. */
const giveWorkspace = async (tx: Tx, auth: Auth, { user, workspaceId, workspaceName }: Owner) => {
  const at = systemClock()
  if (!workspaceId) {
    const body = { name: workspaceName, slug: crypto.randomUUID(), userId: user.id }
    const { id } = await auth.api.createOrganization({ body })
    const after = { name: workspaceName, owner: user.email, ...BY_OPERATOR }
    await recordAudit(tx, {
      workspaceId: id,
      userId: null,
      action: 'workspace created',
      subject: 'workspace',
      after,
      at,
    })
    return { id, name: workspaceName, was: null }
  }
  await lockWorkspace(tx, workspaceId)
  const workspace = await findWorkspace(tx, workspaceId)
  if (!workspace)
    throw new StartupError(`There is no workspace ${workspaceId}. List them with: ${TRIBUTARY} admin workspaces`)
  const was = await makeOwner(tx, auth, { userId: user.id, workspaceId })
  const entry = { action: 'member added', subject: `member ${user.email}`, ...(was && { before: { role: was } }) }
  if (was !== 'owner')
    await recordAudit(tx, { workspaceId, userId: null, ...entry, after: { role: 'owner', ...BY_OPERATOR }, at })
  return { ...workspace, was }
}

type Expectation = { user: { createdAt: Date } | undefined; isExpected: boolean }

/** Someone else may have signed up with the address, and must not own a workspace by mistake. */
const refuseUnexpected = (email: string, { user, isExpected }: Expectation) => {
  if (user && !isExpected)
    throw new StartupError(
      `${email} already has an account, created on ${user.createdAt.toISOString().slice(0, 10)}. If it is the right person's, add --existing to make it an owner; that replaces its password and ends every other way to sign in.`,
    )
  if (!user && isExpected)
    throw new StartupError(`No account has the address ${email}. Leave out --existing to create one.`)
}

type TakeOver = {
  user: { id: string; email: string }
  password: string
  give: (tx: Tx, user: { id: string; email: string }) => Promise<{ id: string; name: string }>
}

/** Makes an existing account an owner, after which only the operator can sign in to it: anyone may have created it. */
const takeOver = async (tx: Tx, auth: Auth, { user, password, give }: TakeOver) => {
  const workspace = await give(tx, user)
  const at = systemClock()
  await replaceSignIn(tx, auth, { user, password })
  for (const { workspaceId, email, role } of await withdrawInvitationsBy(tx, user.id))
    await recordAudit(tx, {
      workspaceId,
      userId: null,
      action: 'invitation withdrawn',
      subject: `invitation of ${email}`,
      before: { email, role },
      after: { status: 'canceled', ...BY_OPERATOR },
      at,
    })
  await recordAccountChange(tx, { user, action: 'sign-in reset', at })
  return { ...workspace, kept: await listKept(tx, { userId: user.id, workspaceId: workspace.id }) }
}

/** What the account reaches besides its new workspace: the operator decides whether it should. */
const listKept = async (tx: Tx, { userId, workspaceId }: { userId: string; workspaceId: string }) => {
  const memberships = await membershipsOf(tx, userId)
  const partnerships = await partnershipsOf(tx, userId)
  const programs = await findPrograms(
    tx,
    partnerships.map(({ programId }) => programId),
  )
  const nameOf = (programId: number) => programs.find(({ id }) => id === programId)?.name
  return [
    ...memberships.filter(({ id }) => id !== workspaceId).map(({ id, name, role }) => ['Workspace', id, name, role]),
    ...partnerships.map(({ programId, partnerId }) => [
      'Program',
      String(programId),
      nameOf(programId) ?? '',
      `partner ${partnerId}`,
    ]),
  ]
}

const TAKEN_OVER =
  'The account existed. Its password was replaced, all its sessions have ended, and two-factor sign-in, the identity provider’s account and its invitations were removed.'
const KEPT = 'It also keeps this access. Remove what the right person should not have, in the dashboard:'

export const createOwner = withErrorOutput(async ({ args, env, print, printError }) => {
  const usage = 'create-owner EMAIL [--name NAME] [--workspace ID | --new-workspace NAME] [--existing]'
  const { words, options } = readArguments(args, {
    words: 1,
    options: ['name', 'workspace', 'new-workspace'],
    flags: ['existing'],
    usage,
  })
  const email = readEmail(words[0])
  const {
    name = email.split('@')[0] ?? '',
    workspace: workspaceId,
    'new-workspace': workspaceName = 'My workspace',
  } = options
  await withServiceDatabase(env, async (context) => {
    const auth = authOptions(context, printError)
    const password = newPassword()
    const give = async (tx: Tx, user: { id: string; email: string }) =>
      giveWorkspace(tx, createAuth({ ...auth, db: tx }), { user, workspaceId, workspaceName })
    const existing = await inTransaction(context.db, async (tx) => {
      const user = await findAccount(tx, email)
      refuseUnexpected(email, { user, isExpected: options.existing === true })
      return user && takeOver(tx, createAuth({ ...auth, db: tx }), { user, password, give })
    })
    if (existing) {
      print(`${email} is now an owner of ${existing.name}.`)
      print(TAKEN_OVER)
      if (existing.kept.length > 0) print(KEPT)
      printTable(print, existing.kept)
      return printPassword(print, email, password)
    }
    let workspace = ''
    const complete = async (tx: Tx, user: { id: string; email: string }) => {
      workspace = (await give(tx, user)).name
    }
    await createSignUp(context.db, auth)({ account: { name, email, password }, mayBeFirst: true, complete })
    print(`Created an account that owns ${workspace}.`)
    printPassword(print, email, password)
  })
  return 0
})

export const resetPassword = withErrorOutput(async ({ args, env, print, printError }) => {
  const { words } = readArguments(args, { words: 1, usage: 'reset-password EMAIL' })
  const email = readEmail(words[0])
  const password = newPassword()
  await withServiceDatabase(env, async (context) => {
    await inTransaction(context.db, async (tx) => {
      const user = await findAccount(tx, email)
      if (!user) throw new StartupError(`No account has the address ${email}.`)
      const auth = createAuth({ ...authOptions(context, printError), db: tx })
      await setPassword(tx, auth, { userId: user.id, password })
      await recordAccountChange(tx, { user, action: 'password reset', at: systemClock() })
    })
    print(`Set a new password, and all sessions of ${email} have ended.`)
    printPassword(print, email, password)
  })
  return 0
})
