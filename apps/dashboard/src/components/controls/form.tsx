import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type SubmitEvent, useEffect, useRef } from 'react'
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

/**
 * What was refused and belongs to none of the named fields. It stands before the button that was pressed; of a long form the
 * field that is wrong may be out of sight, so it gets the focus.
 */
export const FormError = ({ error, fields = [] }: { error: unknown; fields?: string[] }) => {
  const place = useRef<HTMLDivElement>(null)
  const isOfField = error instanceof ApiError && error.field !== undefined && fields.includes(error.field)
  useEffect(() => {
    if (error) bringIntoSight(place.current, isOfField)
  }, [error, isOfField])
  if (!error || isOfField) return <div ref={place} hidden />
  return (
    <div
      ref={place}
      role="alert"
      className="flex scroll-mt-16 scroll-mb-20 items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad-ink text-sm"
    >
      <CircleAlert className="mt-px size-4 shrink-0" aria-hidden />
      {error instanceof Error ? sentence(error.message) : 'Something went wrong. Try again.'}
    </div>
  )
}

const bringIntoSight = (place: HTMLElement | null, isOfField: boolean) => {
  const field = isOfField && place?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]')
  if (field) field.focus()
  const seen = field ? field.parentElement : place
  seen?.scrollIntoView({ block: 'nearest' })
}

/** "destinationUrl must be …" is said to programs; under its field it is clear what must be. */
const withoutName = (message: string, field: string) =>
  message.startsWith(`${field} must`) ? message.slice(field.length + 1) : message

const sentence = (message: string) => message.charAt(0).toUpperCase() + message.slice(1)
