import type { CueTable } from './cue-table.ts'

/** Work around the code, such as tests. */
export const testCues: CueTable = {
  en: {
    5: `^test, ^tests, unit test*, integration test*, e2e, end to end test*, add tests, add a test, write tests, write a test, write the tests, flaky test*, test coverage, property based, snapshot test*, load test*, smoke test*, regression test*, failing test*, test suite*, tests for, test for, make it testable, run the tests, the tests in, to vitest, tests first, mutation test*, stress test*`,
    4: 'tests, test, coverage, playwright, cypress, vitest, jest, mocha, pytest, junit, flaky, testing, mock, mocks, mocking, spec, tdd, edge cases, k6, untestable, testable, test cases, selenium, fixture*, storybook test*',
    3: 'tested, snapshot*, stub*, assertion*, qa, cover, covered, edge case',
    1: 'error path, reproduces, offline',
  },
  de: {
    5: 'schreib tests, schreibe tests, unit tests, testfalle, tests fur, testabdeckung, komponententest*',
    4: 'test, tests, teste, getestet, *test, *tests',
  },
  fr: {
    5: 'tests unitaires, ecris des tests, test unitaire, tests d integration, couverture de test*',
    4: 'test, tests, teste*',
  },
  es: {
    5: 'pruebas unitarias, prueba unitaria, escribe pruebas, escribe tests, cobertura de pruebas, pruebas de integracion',
    4: 'pruebas, prueba, test, tests, testea*',
  },
  pt: {
    5: 'testes unitarios, teste unitario, escreva testes, testes para, cobertura de testes, testes de integracao',
    4: 'teste, testes, test, tests',
  },
  it: {
    5: 'test unitari, unit test, scrivi i test, scrivi test, test per, copertura dei test',
    4: 'test, tests, testa',
  },
  ru: {
    5: 'юнит тест*, юнит-тест*, напиши тест*, покрытие тест*, автотест*, интеграционн* тест*',
    4: 'тест*, протестируй*, покрой*',
  },
  zh: { 5: '单元测试, 写测试, 集成测试, 测试用例, 测试覆盖', 4: '测试' },
  ja: { 5: '単体テスト, ユニットテスト, テストを書, 結合テスト, テストケース', 4: 'テスト' },
  ko: { 5: '단위 테스트, 유닛 테스트, 테스트 작성, 통합 테스트, 테스트 코드', 4: '테스트' },
}

export const docsCues: CueTable = {
  en: {
    5: `^docs, ^doc, ^document, readme, documentation, api documentation, changelog, jsdoc*, docstring*, contributing md, getting started, user guide, typo in readme, pr description, release notes, runbook*, adr, tutorial*, write docs, in the docs, to the docs, put that into docs, comments to all, comments in the code, javadoc, code comments, how to guide, write up docs, translate the doc*, contributing guide`,
    4: 'doc, clarify, more details, more context, explain in the, docs, document, documents, documented, documenting, install instructions, installation instructions, wiki, comments, diagrams, mermaid, faq, quickstart, manual, explain the config, ',
    3: 'document it, outdated, out of date, typo, typos, guide, instructions, md, comment, license, spelling, grammar, glossary, description*, describe*, mention*',
    2: 'chapter*, translate, explain how, examples, example, wording, link to',
    1: 'write, update, new users',
  },
  de: {
    5: 'readme, dokumentation*, anleitung*, installationsanleitung*, dokumentier*, handbuch*, *anleitung',
    4: 'doku, kommentare*, kommentier*, tippfehler*',
    2: 'erganze, beschreib*',
  },
  fr: {
    5: 'documentation*, readme, documente*, guide d installation, mode d emploi',
    4: 'doc, docs, commentaires, tutoriel*, coquille*',
    2: 'explique dans, redige*',
  },
  es: { 5: 'documentacion*, readme, documenta*, guia de', 4: 'docs, comentarios, tutorial*, errata*', 2: 'redacta*' },
  pt: { 5: 'documentacao*, readme, documente*, guia de', 4: 'docs, comentarios, tutorial*', 2: 'redija*' },
  it: { 5: 'documentazione*, readme, documenta*, guida*', 4: 'docs, commenti, tutorial*', 2: 'spiega nel' },
  ru: {
    5: 'документаци*, readme, ридми, задокументируй*, инструкци*',
    4: 'комментари*, руководств*, опечатк*',
    2: 'опиши*',
  },
  zh: { 5: '文档, 说明书, readme, 使用说明, 教程', 4: '注释, 错别字, 更新日志', 2: '说明, 写明' },
  ja: {
    5: 'ドキュメント, readme, 手順書, マニュアル, 仕様書',
    4: 'コメントを, 説明を書, チュートリアル, 誤字',
    2: '手順, 書き足',
  },
  ko: { 5: '문서, readme, 매뉴얼, 가이드, 설명서', 4: '주석, 튜토리얼, 오타', 2: '설명을 추가' },
}

export const choreCues: CueTable = {
  en: {
    5: `^chore, ^bump, bump versions, commit and push, update dependencies, bump version, bump the version, rebase*, cherry pick, merge conflict*, resolve the conflicts, squash, new branch, create a branch, gitignore, open a pr, create a pr, open a pull request, run prettier, upgrade eslint, merged branches, publish to npm, update the dependencies, update packages,
        upgrade dependencies, start the dev server, git push, git commit, tag it, lint`,
    4: '^install, ^uninstall, commit, push, bump, branch, branches, dependencies, prettier, eslint, tsconfig, upgrade, package json, lockfile*, stash, git, publish, run the linter, format the code, version to, merge, revert',
    3: 'update to, upgrade to, switch to version, edition, pin, ^update, ^upgrade, ^run, tag, npm, pnpm, yarn, format, formatting, move the, release, conflicts, version, editorconfig, delete',
    2: 'install, update, run, branch from, config, rename the file, env, cleanup branches, undo, turn on',
    1: 'create, add',
  },
  de: {
    5: 'abhangigkeiten aktualisier*, aktualisiere die abhangigkeiten, committe und pushe, versionsnummer*',
    4: 'abhangigkeit*, committe*, commite*, pushe*, branch',
    3: 'aktualisier*, installier*, version*',
    2: 'starte*, merge*',
  },
  fr: {
    5: 'mets a jour les dependances, les dependances, fais un commit',
    4: 'dependance*, commit*, pousse*, branche*',
    3: 'mets a jour, installe*, version*',
    2: 'lance*, demarre*',
  },
  es: {
    5: 'actualiza las dependencias, las dependencias, haz un commit, haz commit',
    4: 'dependencia*, commit*, rama*',
    3: 'actualiza*, instala*, version*',
    2: 'ejecuta*, inicia*',
  },
  pt: {
    5: 'atualize as dependencias, as dependencias, faca o commit, faz o commit',
    4: 'dependencia*, commit*, push, branch',
    3: 'atualize*, atualiza*, instale*, versao',
    2: 'execute*, inicie*',
  },
  it: {
    5: 'aggiorna le dipendenze, le dipendenze, fai il commit, fai commit',
    4: 'dipendenz*, commit, push, branch, ramo',
    3: 'aggiorna*, installa*, versione',
    2: 'esegui*, avvia*',
  },
  ru: {
    5: 'обнови зависимост*, сделай коммит*, закоммить*, зависимост*',
    4: 'коммит*, запуш*, ветк*',
    3: 'обнови*, установи*, верси*',
    2: 'запусти*',
  },
  zh: {
    5: '升级依赖, 更新依赖, 提交代码, 提交并推送',
    4: '依赖, 提交, 推送到, 分支, 合并',
    3: '升级, 更新, 安装, 版本',
    2: '运行, 启动',
  },
  ja: {
    5: '依存パッケージ, 依存関係を更新, コミットして, ライブラリを更新',
    4: '依存, コミット, プッシュして, ブランチ, マージ',
    3: '更新, インストール, アップデート, バージョン',
    2: '実行して',
  },
  ko: {
    5: '의존성 업데이트, 의존성, 커밋해, 패키지 업데이트',
    4: '커밋, 푸시해, 브랜치, 머지',
    3: '업데이트, 설치, 버전',
    2: '실행해줘',
  },
}
