import { clsx } from 'clsx'
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0'

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink shadow-card hover:bg-hover',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
  danger: 'bg-bad text-white hover:bg-bad-hover dark:text-black',
}
const SIZES = { small: 'h-7 px-2.5 text-xs', medium: 'h-8 px-3 text-sm', large: 'h-10 px-4 text-base', icon: 'size-8' }

export type ButtonLook = { look?: keyof typeof LOOKS; size?: keyof typeof SIZES }

/** The button style for router links. */
export const buttonClass = ({ look = 'secondary', size = 'medium' }: ButtonLook = {}, more?: string) =>
  clsx(BASE, LOOKS[look], SIZES[size], more)

type Props = ComponentProps<'button'> & ButtonLook & { busy?: boolean }

/** `busy` shows a spinner and blocks further clicks. */
export const Button = ({
  look,
  size,
  busy = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: Props) => (
  <button
    {...rest}
    type={type}
    disabled={disabled || busy}
    aria-busy={busy || undefined}
    className={buttonClass({ ...(look && { look }), ...(size && { size }) }, className)}
  >
    {busy && <LoaderCircle className="animate-spin" aria-hidden />}
    {children}
  </button>
)
