import { createRoot } from 'react-dom/client'
import { login } from './api/login.ts'
import { App } from './app.tsx'
import { restoreTheme } from './parts/theme.ts'
import { movePathIntoHash } from './route/route.ts'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/table.css'
import './style/explain.css'
import './style/overview.css'
import './style/feed.css'
import './style/timeline.css'
import './style/gate.css'
import './style/playground.css'

restoreTheme()
movePathIntoHash()
await login()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
