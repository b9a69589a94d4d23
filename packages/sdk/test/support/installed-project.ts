import { afterAll } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from '../../build.ts'

export const ROOT = join(import.meta.dir, '../../../..')

/** An empty project with the SDK installed from the service, as a merchant would. */
export const givenInstalledProject = async (service: { url: string }) => {
  const project = givenProject()
  const { buildSdk } = await import(join(ROOT, 'scripts/build-sdk.mjs'))
  const problem: string | null = buildSdk({ root: ROOT, bun: process.execPath })
  if (problem) throw new Error(problem)
  await run(project.folder, ['npm', 'install', `${service.url}/sdk.tgz`, '--no-audit', '--no-fund'])
  return project
}

/** The same without npm, which is faster: the built SDK is put where npm would install it, and frameworks are linked. */
export const givenProjectWith = (packages: string[]) => {
  const project = givenProject()
  const modules = join(project.folder, 'node_modules')
  build(join(modules, '@tributary/sdk'))
  for (const name of packages) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  return project
}

const givenProject = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-sdk-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{"name": "merchant", "private": true, "type": "module"}\n')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return {
    folder,
    write,
    copy: (from: string, to: string) => cpSync(from, join(folder, to)),
    run: (command: string[], env: Record<string, string> = {}) => run(folder, command, env),
  }
}
export type Project = ReturnType<typeof givenProject>

/** Runs a command to completion. Throws with its output if it fails. */
const run = async (cwd: string, command: string[], env: Record<string, string> = {}) => {
  const { PATH = '', HOME = '' } = process.env
  const child = Bun.spawn(command, { cwd, env: { PATH, HOME, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}
