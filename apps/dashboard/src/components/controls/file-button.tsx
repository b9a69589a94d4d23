import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

type Props = {
  accept: string
  busy: boolean
  disabled?: boolean
  children: ReactNode
  onFile: (file: File) => void
}

/** Opens the file picker. The input itself is hidden, because browsers draw it differently. */
export const FileButton = ({ accept, busy, disabled, children, onFile }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Choosing the same file again must count as a change.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <Button busy={busy} disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
