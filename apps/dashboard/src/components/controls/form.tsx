import { CircleAlert } from 'lucide-react'
import { type ComponentProps, createContext, type SubmitEvent, useContext, useEffect, useRef } from 'react'
import { ApiError } from '~/api/client.ts'
import { capitalize } from '../format/labels.ts'

/** Disables every form below it, except search. */
export const ReadOnly = createContext(false)

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: (values: FormData) => void }

/** Passes the values on submit, by field name. */
export const Form = ({ onSubmit, children, ...rest }: Props) => {
  const isReadOnly = useContext(ReadOnly) && rest.role !== 'search'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React bubbles a dialog's submit to the form it is rendered in.
    event.stopPropagation()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form {...rest} onSubmit={submit}>
      {isReadOnly ? (
        <fieldset disabled className="contents">
          {children}
        </fieldset>
      ) : (
        children
      )}
    </form>
  )
}

export const formText = (values: FormData, name: string) => String(values.get(name) ?? '').trim()

/** The message for one field, if the service named that field. */
export const fieldError = (error: unknown, field: string) =>
  error instanceof ApiError && error.field === field ? capitalize(withoutName(error.message, field)) : null

/** Shows an error that belongs to none of the given fields. If it belongs to one, focuses it: in a long form it may be off screen. */
export const FormError = ({ error, fields = [] }: { error: unknown; fields?: string[] }) => {
  const place = useRef<HTMLDivElement>(null)
  const isFieldError = error instanceof ApiError && error.field !== undefined && fields.includes(error.field)
  useEffect(() => {
    if (error) reveal(place.current, isFieldError)
  }, [error, isFieldError])
  if (!error || isFieldError) return <div ref={place} hidden />
  return (
    <div
      ref={place}
      role="alert"
      className="flex scroll-mt-16 scroll-mb-20 items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad-ink text-sm"
    >
      <CircleAlert className="mt-px size-4 shrink-0" aria-hidden />
      {error instanceof Error ? capitalize(error.message) : 'Something went wrong. Try again.'}
    </div>
  )
}

const reveal = (place: HTMLElement | null, isFieldError: boolean) => {
  const field = isFieldError && place?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]')
  if (field) field.focus()
  const seen = field ? field.parentElement : place
  seen?.scrollIntoView({ block: 'nearest' })
}

/** Drops the API's field name from "destinationUrl must be …": the label already names the field. A path is not for people. */
const withoutName = (message: string, field: string) => {
  const name = [`${field} `, `\`${field}\` `].find((each) =>
    message.startsWith(field.includes('.') ? each : `${each}must`),
  )
  return name ? message.slice(name.length) : message
}
