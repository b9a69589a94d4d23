import type { ApplicationPage, Question } from '@tributary/contract'
import { Field, Input, Select, Textarea } from '~/components/controls/field.tsx'
import { fieldError, formText } from '~/components/controls/form.tsx'

const nameOf = ({ id }: Question) => `answers.${id}`

/** The fields that show their own errors. */
export const questionFields = (questions: Question[]) => questions.map(nameOf)

/** The answers in a form, and the agreement it shows. */
export const readApplication = ({ questions, agreement }: ApplicationPage, values: FormData) => ({
  answers: Object.fromEntries(questions.map((question) => [question.id, formText(values, nameOf(question))])),
  agreementVersion: agreement?.version,
})

type Props = { questions: Question[]; error: unknown }

/** The program's own questions. */
export const QuestionFields = ({ questions, error }: Props) =>
  questions.map((question) => {
    const name = nameOf(question)
    const { id, label, kind, required, options } = question
    return (
      <Field
        key={id}
        label={label}
        optional={!required}
        hint={kind === 'url' ? 'A web address such as https://example.com/' : undefined}
        error={withoutName(fieldError(error, name), name)}
      >
        {(wiring) => {
          const control = { ...wiring, name, required }
          if (kind === 'long_text') return <Textarea {...control} maxLength={2000} />
          if (kind === 'url') return <Input {...control} type="url" maxLength={2000} />
          if (kind === 'short_text') return <Input {...control} maxLength={200} />
          return (
            <Select {...control} defaultValue="">
              <option value="">Choose an answer</option>
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </Select>
          )
        }}
      </Field>
    )
  })

/** "Answers.site is missing. Answer this question." needs no name below its field. */
const withoutName = (message: string | null, name: string) =>
  message?.toLowerCase().startsWith(`${name} is missing`) ? 'Answer this question.' : message
