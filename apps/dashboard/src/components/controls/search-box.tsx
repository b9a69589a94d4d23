import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Input } from './field.tsx'
import { Form, formText } from './form.tsx'

type Props = { label: string; placeholder: string; value: string; onSearch: (text: string) => void }

/** Searches on Enter and when cleared, not per key: every search adds a history entry. */
export const SearchBox = ({ label, placeholder, value, onSearch }: Props) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <Form role="search" onSubmit={(values) => onSearch(formText(values, 'search'))} className="relative w-full sm:w-60">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
      <Input
        name="search"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value === '' && value !== '') onSearch('')
        }}
        className="pl-8"
      />
    </Form>
  )
}
