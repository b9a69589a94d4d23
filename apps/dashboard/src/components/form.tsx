import { CircleAlert } from 'lucide-react'
import type { ComponentProps, SubmitEvent } from 'react'
import { ApiError } from '~/api/client.ts'

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: (values: FormData) => void }

/** A form whose values arrive by the names of its controls. */
export const Form = ({ onSubmit, ...rest }: Props) => {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A dialog's form lies inside another form's React tree; its submit is its own.
    event.stopPropagation()
    onSubmit(new FormData(event.currentTarget))
  }
  return <form {...rest} onSubmit={submit} />
}

export const textOf = (values: FormData, name: string) => String(values.get(name) ?? '').trim()

/** The message for one field of a form, where the service named that field. */
export const fieldError = (error: unknown, field: string) =>
  error instanceof ApiError && error.field === field ? sentence(withoutName(error.message, field)) : null

/** What was refused and belongs to none of the named fields. */
export const FormError = ({ error, fields = [] }: { error: unknown; fields?: string[] }) => {
  if (!error || (error instanceof ApiError && error.field && fields.includes(error.field))) return null
  return (
    <p role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad-ink text-sm">
      <CircleAlert className="mt-px size-4 shrink-0" aria-hidden />
      {error instanceof Error ? sentence(error.message) : 'Something went wrong. Try again.'}
    </p>
  )
}

/** "destinationUrl must be …" is said to programs; under its field it is clear what must be. */
const withoutName = (message: string, field: string) =>
  message.startsWith(`${field} must`) ? message.slice(field.length + 1) : message

const sentence = (message: string) => message.charAt(0).toUpperCase() + message.slice(1)
