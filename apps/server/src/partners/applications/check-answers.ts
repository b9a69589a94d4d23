import { originOf, type Question } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'

type Answer = { question: string; answer: string }

const MAX_SHORT_TEXT = 200

/** What is wrong with an answer, or null. */
const faultOf = ({ kind, required, options }: Question, answer: string) => {
  if (answer === '') return required ? 'is missing. Answer this question' : null
  if (answer.includes('\0') || !answer.isWellFormed()) return 'must not contain NUL or unpaired surrogates'
  if (kind === 'short_text' && answer.length > MAX_SHORT_TEXT) return `must be at most ${MAX_SHORT_TEXT} characters`
  if (kind === 'choice' && !options.includes(answer)) return `must be one of: ${options.join(', ')}`
  if (kind === 'url' && originOf(answer) === null) return 'must be a full web address such as https://example.com/'
  return null
}

/** The answers with their questions, and the hosts of the web addresses among them. Throws for a wrong answer. */
export const checkAnswers = (questions: Question[], answers: Record<string, string>) => {
  const unknown = Object.keys(answers).find((id) => !questions.some((question) => question.id === id))
  if (unknown !== undefined)
    throw new Refusal('invalid_request', `answers.${unknown} belongs to no question. Reload the page and try again.`, {
      field: `answers.${unknown}`,
    })
  const given = questions.map((question) => ({ question, answer: answers[question.id]?.trim() ?? '' }))
  for (const { question, answer } of given) {
    const fault = faultOf(question, answer)
    const field = `answers.${question.id}`
    if (fault) throw new Refusal('invalid_request', `${field} ${fault}.`, { field })
  }
  const filled = given.filter(({ answer }) => answer !== '')
  const urls = filled.filter(({ question }) => question.kind === 'url')
  return {
    answers: filled.map(({ question, answer }): Answer => ({ question: question.label, answer })),
    websites: urls.map(({ answer }) => new URL(answer).hostname.toLowerCase()),
  }
}
