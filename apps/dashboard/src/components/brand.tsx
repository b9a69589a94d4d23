import type { Brand } from '@tributary/contract'
import { textColorOn } from '@tributary/contract/accent-color'
import { useEffect } from 'react'
import { Logo } from './logo.tsx'

/**
 * The program's color for buttons. Text in the accent color would be unreadable in many colors, so it uses the normal text color,
 * and so does the focus ring.
 */
const variablesFor = (accent: string) => {
  const text = textColorOn(accent)
  // Away from the text color, so that the contrast only grows.
  const away = text === '#ffffff' ? 'black' : 'white'
  return {
    '--accent': accent,
    '--accent-hover': `color-mix(in srgb, ${accent} 88%, ${away})`,
    '--on-accent': text,
    '--accent-soft': 'var(--hover)',
    '--accent-ink': 'var(--ink)',
    '--focus-ring': 'var(--ink)',
  }
}

/** Applies a program's color to the whole page, including dialogs and menus, while the screen is shown. */
export const useAccentColor = (color: string | null | undefined) => {
  useEffect(() => {
    if (!color) return
    const { style } = document.documentElement
    const variables = Object.entries(variablesFor(color))
    for (const [name, value] of variables) style.setProperty(name, value)
    return () => {
      for (const [name] of variables) style.removeProperty(name)
    }
  }, [color])
}

/** The program's logo. Decorative, because its name is next to it. */
export const BrandLogo = ({ brand, className }: { brand: Brand; className?: string }) =>
  brand.logoUrl ? (
    <img src={brand.logoUrl} alt="" className={`max-w-32 rounded object-contain ${className ?? ''}`} />
  ) : (
    <Logo className={`${className ?? ''} aspect-square`} />
  )
