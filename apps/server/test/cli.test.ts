import { expect, test } from 'bun:test'
import { VERSION } from '@tributary/contract/version'
import { runCli } from '../src/commands/cli.ts'
import { COMMANDS, type CommandEntry } from '../src/commands/commands.ts'

const tributary = async (...args: string[]) => {
  const output = { stdout: '', stderr: '' }
  const terminal = {
    args,
    env: { DATA_DIR: '/nowhere' },
    print: (line: string) => {
      output.stdout += `${line}\n`
    },
    printError: (line: unknown) => {
      output.stderr += `${line}\n`
    },
  }
  const code = await runCli(terminal)
  return { code, ...output }
}

/** Every command, with its words: `admin create-key` as well as `backup`. */
const everyCommand = (entries: Record<string, CommandEntry>, before: string[] = []): string[][] =>
  Object.entries(entries).flatMap(([name, { commands }]) => {
    const words = [...before, name]
    return [words, ...(commands ? everyCommand(commands, words) : [])]
  })

test('--help lists every command, and every command explains itself without running', async () => {
  const { code, stdout } = await tributary('--help')
  expect(code).toBe(0)
  for (const name of Object.keys(COMMANDS)) expect(stdout).toContain(`\n  ${name} `)
  for (const words of everyCommand(COMMANDS)) {
    const help = await tributary(...words, '--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toStartWith(`Usage: npm run tributary -- ${words.join(' ')}`)
  }
})

test('--version prints the version of the product', async () => {
  expect(await tributary('--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
})

test('a wrong call says what to do, with this command as it is typed in a clone', async () => {
  expect(await tributary()).toMatchObject({ code: 1, stdout: expect.stringContaining('Usage: npm run tributary --') })
  expect(await tributary('strat')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm run tributary -- --help'),
  })
  expect(await tributary('admin')).toMatchObject({ code: 1, stderr: expect.stringContaining('create-owner') })
  expect(await tributary('admin', 'x')).toMatchObject({ code: 1, stderr: expect.stringContaining('create-owner') })
  expect(await tributary('start', 'now')).toMatchObject({ code: 1, stderr: expect.stringContaining('no arguments') })
  const stderr =
    'Name the backup file: npm run tributary -- backup <file | folder | s3://bucket/folder | -> [--keep N]\n'
  expect(await tributary('backup')).toEqual({ code: 1, stdout: '', stderr })
  expect((await tributary('processor:replay')).stderr).toContain(
    'Usage: npm run tributary -- processor:replay --program 1',
  )
})
