import type { Intent } from '../../../../policy/intents.ts'
import type { CueTable } from './cue-table.ts'

/** The complexity of an intent without other cues: below 0.75 is low, from 2.1 on high. */
export const BASE_COMPLEXITY: Readonly<Record<Intent, number>> = {
  web_app: 1,
  api: 1,
  mobile: 1,
  script: 0.6,
  data: 1,
  devops: 1,
  feature: 0.7,
  bug_fix: 0.3,
  refactor: 1,
  performance: 1,
  test: 0.5,
  docs: 0.4,
  chore: 0,
  security_review: 1,
  code_review: 0.6,
  analysis: 1,
  research: 1,
  planning: 1.2,
  question: 0,
  other: 0,
}

export const COMPLEXITY_LEVELS = { medium: 0.75, high: 2.1 }

/** Cues for more and for less work. Each counts once; the keys are points. */
export const COMPLEXITY_CUES: Readonly<Record<'more' | 'less', CueTable>> = {
  more: {
    en: {
      2: `enterprise*, saas, multi tenan*, marketplace*, microservices, from scratch, whole platform, whole system, entire platform, whole crate, whole codebase, without downtime,
          full stack, fullstack, clone of, real time collaboration, realtime, native app*, ios app*, full security audit, technical debt, exactly once, migrate our, move all data, billing, monolith, rewrite the`,
      1: `architecture, platform, distributed, all customers, every customer, payments, several, multiple, maps, messaging, dashboard*, race condition, memory leak, migration*, integration tests, end to end, e2e, authentication, auth, oauth2, sso,
          permissions, roles, deploy*, kubernetes, terraform, module, payment, flow, forms, everywhere, all of, whole, entire, infrastructure, figure out why, find the cause, find out why, investigate, root cause, randomly, sometimes, dig into, split`,
    },
    de: { 2: 'komplett*, gesamte*, von grund auf, plattform*', 1: 'mehrere, architektur*, ursache*, alle' },
    fr: { 2: 'complete, entier*, de zero, plateforme*', 1: 'plusieurs, architecture, la cause, tous' },
    es: { 2: 'completa, completo, desde cero, plataforma*', 1: 'varios, arquitectura, encuentra el error, todos' },
    pt: { 2: 'completo, completa, do zero, plataforma*', 1: 'varios, arquitetura, o motivo, todos' },
    it: { 2: 'completo, completa, da zero, piattaforma*', 1: 'diversi, architettura, trova l errore, tutti' },
    ru: { 2: 'с нуля, маркетплейс*, платформ*, полностью', 1: 'архитектур*, найди причину, несколько, все' },
    zh: { 2: '平台, 从零, 完整的, 整个', 1: '架构, 找出原因, 多个, 所有' },
    ja: { 2: 'プラットフォーム, 一から, ecサイト, 全体', 1: 'アーキテクチャ, 原因を, 複数, すべて' },
    ko: { 2: '플랫폼, 처음부터, 전체', 1: '아키텍처, 원인을, 여러, 모든' },
  },
  less: {
    en: {
      1: `typo*, small, quick, one liner, simple, color*, colour*, button*, sticky, toggle, flag, a field, rename, bump, default, comment*, docstring*, jsdoc*, gitignore, header, footer, spinner, link, link to, icon*, logo, label*, text,
          off by one, this function, this file, line, health endpoint, query param, an index, sql query, query that, healthcheck*, memory limit, last commit, this diff, my code, readme, snapshot, unit test*, count, look up, dead code, magic strings, this query, is slow, div, splash screen,
          minimum, option, setting, shortcut, simplify, dedupe, extract, secrets, cve, library for, plan first, estimate, cover, ^make, ^change, ^return, ^sort, ^hide, ^use, ^show, ^allow, ^avoid, ^log, ^validate`,
    },
    de: { 1: 'klein*, button*, knopf, feld*, farbe*, blau, kommentar*, tippfehler*, abfrage*' },
    fr: { 1: 'petit*, bouton*, couleur*, champ*, option*, coquille*' },
    es: { 1: 'pequen*, boton*, color*, campo*, consulta*' },
    pt: { 1: 'pequen*, botao*, cor, campo*' },
    it: { 1: 'piccol*, pulsante*, colore*, campo*, query' },
    ru: { 1: 'маленьк*, кнопк*, цвет*, поле, запрос*' },
    zh: { 1: '按钮, 颜色, 字段, 一下, 查询' },
    ja: { 1: 'ボタン, 色を, 項目, sqlを' },
    ko: { 1: '버튼, 색깔, 필드, 쿼리' },
  },
}
