import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Input } from './field.tsx'
import { Form } from './form.tsx'

type Props = {
  label: string
  placeholder: string
  value: string
  onSearch: (text: string) => void
  /** Searches on Enter only, where a part of the text finds nothing. */
  isExact?: boolean
}

const PAUSE_MS = 250

/** Searches while typing, after a short pause, and on Enter. */
export const SearchBox = ({ label, placeholder, value, onSearch, isExact = false }: Props) => {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A later key may already be in the box when an earlier search arrives in the URL.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const latest = useRef(onSearch)
  latest.current = onSearch
  const send = (typed: string) => {
    clearTimeout(timer.current)
    if (typed.trim() === sent.current) return
    sent.current = typed.trim()
    latest.current(typed.trim())
  }
  const type = (typed: string) => {
    setText(typed)
    clearTimeout(timer.current)
    if (typed === '') send('')
    else if (!isExact) timer.current = setTimeout(() => send(typed), PAUSE_MS)
  }
  return (
    <Form role="search" onSubmit={() => send(text)} className="relative w-full sm:w-60">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
      <Input
        name="search"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        maxLength={120}
        onChange={(event) => type(event.target.value)}
        className="pl-8"
      />
    </Form>
  )
}
