import { expect, test } from 'bun:test'
import { inOneTurn } from '../src/database/in-one-turn.ts'

/** Answers what is true when it is asked, and keeps what it was asked. */
const givenQuestion = () => {
  const asked: string[] = []
  const truth = { value: 'before' }
  const ask = inOneTurn(async (key: string) => {
    asked.push(key)
    if (key === 'broken') throw new Error('no answer')
    return truth.value
  })
  return { asked, truth, ask }
}

test('who asks the same in one turn is answered by one question, others by their own', async () => {
  const { asked, ask } = givenQuestion()
  expect(await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')])).toEqual(['before', 'before', 'before', 'before'])
  expect(asked).toEqual(['a', 'b'])
})

test('nobody is answered what was true before they asked', async () => {
  const { asked, truth, ask } = givenQuestion()
  const first = ask('a')
  truth.value = 'after'
  expect(await Promise.all([first, ask('a')])).toEqual(['after', 'after'])
  truth.value = 'later'
  expect(await ask('a')).toBe('later')
  expect(asked).toEqual(['a', 'a'])
})

test('a question that fails fails for all who asked it, and is asked again', async () => {
  const { asked, ask } = givenQuestion()
  const ended = await Promise.allSettled([ask('broken'), ask('broken')])
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await Promise.allSettled([ask('broken')]))[0]?.status).toBe('rejected')
  expect(asked).toEqual(['broken', 'broken'])
})
