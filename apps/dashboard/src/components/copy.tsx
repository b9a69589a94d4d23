import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonLook } from './controls/button.tsx'
import { toast } from './overlays/toast.tsx'

const SHOWN_MS = 1_600

/** Browsers block the clipboard API without HTTPS; `execCommand` still works there. */
const writeClipboard = async (text: string) => {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text)
  const area = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('Your browser blocked copying. Select the text and copy it manually.')
}

export const useCopy = () => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (text: string) => writeClipboard(text).then(() => setCopied(true), toast.failed)
  return { copied, copy }
}

type Props = { text: string; label: string; iconOnly?: boolean } & ButtonLook

/** `label` names the action, for example "Copy link". */
export const CopyButton = ({ text, label, iconOnly, look = 'quiet', size = 'small' }: Props) => {
  const { copied, copy } = useCopy()
  const icon = copied ? <Check aria-hidden className="text-good-ink" /> : <Copy aria-hidden />
  return (
    <Button
      look={look}
      size={iconOnly ? 'icon' : size}
      className={iconOnly ? 'size-7' : undefined}
      aria-label={iconOnly ? label : undefined}
      title={iconOnly ? label : undefined}
      onClick={() => void copy(text)}
    >
      {icon}
      {!iconOnly && (copied ? 'Copied' : label)}
      <span aria-live="polite" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </Button>
  )
}
