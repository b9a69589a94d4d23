import { afterAll } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { freePort, until } from '../../../../apps/server/test/lifecycle/given-service.ts'
import { givenPayingProgram } from '../../../../apps/server/test/support/money.ts'
import type { TestService } from '../../../../apps/server/test/support/service.ts'
import type { Block } from './guide.ts'
import { type Project, ROOT } from './installed-project.ts'

const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' } }
const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`

let folders = 0

/**
 * A reader who has completed the quickstart and follows a guide: with a program, a session in `cookies.txt`, the API key in the
 * environment, and a folder in a project that has the SDK.
 */
export const givenReader = async (service: TestService, project: Project) => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const name = `reader-${++folders}`
  const folder = join(project.folder, name)
  mkdirSync(folder)
  const env: Record<string, string> = {
    PATH,
    BASE_URL: service.url,
    API_KEY: program.key,
    PROGRAM_ID: String(program.id),
    AFF: program.link.aff,
    TRIBUTARY_URL: service.url,
    TRIBUTARY_KEY: program.key,
  }
  const signIn = JSON.stringify({ email: program.owner.email, password: 'a long password' })
  await project.run(
    ['curl', '-sf', '-c', `${name}/cookies.txt`, `${service.url}/api/auth/sign-in/email`, '-d', signIn].concat([
      '-H',
      'content-type: application/json',
    ]),
  )
  const write = (block: Block) => project.write(`${name}/${block.file}`, block.content)

  /** Starts the server of a block as the guide describes and waits until it listens. */
  const start = async (block: Block, { express4 = false, port = freePort(), output = 'ignore' }: Start = {}) => {
    write(block)
    if (express4) project.copy(join(import.meta.dir, 'express-4.mjs'), `${name}/express-4.mjs`)
    const child = Bun.spawn(commandOf(block, project, name), {
      cwd: folder,
      env: { ...env, PORT: String(port), ...(express4 && { NODE_OPTIONS: '--import ./express-4.mjs' }) },
      stdout: output === 'ignore' ? output : Bun.file(join(folder, output)),
      stderr: output === 'ignore' ? 'inherit' : 'ignore',
    })
    afterAll(() => child.kill())
    env.SHOP_URL = `http://localhost:${port}`
    await until(() => isListening(port))
    return { url: env.SHOP_URL, isRunning: () => child.exitCode === null && child.signalCode === null }
  }

  /** Runs blocks in order in one shell, like a reader, and returns the output of each. */
  const follow = async (blocks: Block[]) => {
    for (const block of blocks) if (block.file) write(block)
    const steps = blocks.map((block, index) => `{\n${shellOf(block)}\n} > out-${index}`)
    const script = ['set -a', `cd ${name}`, ...steps].join('\n')
    await project.run(['bash', '-euo', 'pipefail', '-c', script], env)
    return blocks.map((_, index) => readFileSync(join(folder, `out-${index}`), 'utf8'))
  }
  return { program, env, write, start, follow, read: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

/** `output`: the name of a file for what the server prints. */
type Start = { express4?: boolean; port?: number; output?: string }

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: 'localhost' }, () => {
      socket.end()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

const shellOf = ({ language, file, content, command }: Block) => {
  if (language === 'sh') return content
  return language === 'python' ? `python3 ${file}` : (command ?? '')
}

/** Next.js is not installed. Its route handlers are web handlers, so Bun can serve them. */
const commandOf = ({ file, command }: Block, project: Project, folder: string): string[] => {
  if (command) return command.split(' ')
  if (basename(file ?? '') !== 'route.js') throw new Error(`the guide does not say how to start ${file}`)
  const server = `import { POST } from './${file}'\nexport default { port: process.env.PORT, fetch: POST }\n`
  project.write(`${folder}/next.mjs`, server)
  return ['bun', 'next.mjs']
}
