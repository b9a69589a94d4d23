import { afterAll } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from '../../build.ts'

export const ROOT = join(import.meta.dir, '../../../..')

/** An empty project with the SDK installed from its tarball, as a merchant would. npm runs offline. */
export const givenInstalledProject = async () => {
  const project = givenProject()
  const { folder } = project
  const built = build(join(folder, 'built'))
  const npm = (...args: string[]) => run(folder, ['npm', ...args, '--offline', '--no-audit', '--no-fund'])
  await npm('pack', built, '--pack-destination', folder)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  await npm('install', `./${tarball}`)
  return { ...project, tarball, built }
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
