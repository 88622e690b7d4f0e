"""Names that the formula grammar knows: functions, Greek letters, words and signs.

Closed tables: a name that is not here is a variable, or, where it looks like prose, a failure.
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


GREEK = _names(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
    "varpi"
)

LETTER_VARIANTS = {
    "varepsilon": "epsilon",
    "vartheta": "theta",
    "varphi": "phi",
    "varrho": "rho",
    "varsigma": "sigma",
    "varkappa": "kappa",
    "varGamma": "Gamma",
    "varDelta": "Delta",
    "varTheta": "Theta",
    "varLambda": "Lambda",
    "varSigma": "Sigma",
    "varPhi": "Phi",
    "varPsi": "Psi",
    "varOmega": "Omega",
    "hslash": "hbar",
    "ell": "l",
    "imath": "i",
    "jmath": "j",
    "infin": "infty",
    "thetasym": "theta",
}
"""Spellings of one letter; variant shapes are the same letter."""

LETTER_COMMANDS = GREEK | {"hbar", "ell", "odot", "oplus", "aleph", "infty", "degree", "circ"}

FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
    "cosec": "csc", "ctg": "cot", "tg": "tan", "cotan": "cot",
    "arcsin": "arcsin", "arccos": "arccos", "arctan": "arctan", "asin": "arcsin",
    "acos": "arccos", "atan": "arctan", "arctg": "arctan", "arccot": "arccot", "acot": "arccot",
    "arcsec": "arcsec", "arccsc": "arccsc", "atan2": "atan2", "arctan2": "atan2",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "coth": "coth", "sech": "sech",
    "csch": "csch", "arcsinh": "arcsinh", "arccosh": "arccosh", "arctanh": "arctanh",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "arsinh": "arcsinh",
    "arcosh": "arccosh", "artanh": "arctanh", "arccoth": "arccoth", "arcoth": "arccoth",
    "acoth": "arccoth",
    "exp": "exp", "ln": "ln", "log": "log", "lg": "lg", "log10": "log10", "log2": "log2",
    "abs": "abs", "sqrt": "sqrt", "cbrt": "cbrt", "min": "min", "max": "max",
    "sgn": "sign", "sign": "sign", "sinc": "sinc", "erf": "erf", "erfc": "erfc",
    "erfi": "erfi", "floor": "floor", "ceil": "ceil", "arg": "arg", "det": "det", "tr": "trace",
    "Tr": "trace", "Re": "real", "Im": "imag", "mean": "mean", "avg": "mean",
    "heaviside": "heaviside", "Heaviside": "heaviside", "factorial": "factorial",
    "besselj": "besselj", "bessely": "bessely", "besseli": "besseli", "besselk": "besselk",
    "Ei": "expint_ei", "Li": "polylog", "curl": "curl", "div": "div", "grad": "grad",
    "rot": "curl",
}  # fmt: skip
"""Spelling -> canonical name; sqrt, cbrt, lg, log10, log2 and the vector words are other nodes."""

VECTOR_WORDS = frozenset(("curl", "div", "grad"))

INVERSES = {
    "sin": "arcsin", "cos": "arccos", "tan": "arctan", "cot": "arccot", "sec": "arcsec",
    "csc": "arccsc", "sinh": "arcsinh", "cosh": "arccosh", "tanh": "arctanh", "coth": "arccoth",
}  # fmt: skip
"""``\\sin^{-1} x`` is the inverse function."""

BESSEL = {"J": "besselj", "Y": "bessely", "I": "besseli", "K": "besselk"}

APPLIED_LETTERS = frozenset(("f", "delta", "Theta", "Gamma"))
"""Letters that are functions whatever stands in the bracket behind them."""

ANGLES = frozenset(("theta", "phi", "psi", "varpi"))
"""An angle ends an unbracketed function argument: ``\\sin\\theta r`` is ``r sin(theta)``."""

VECTOR_LETTERS = _names("B b E J j v V u U A k r H S F omega Omega")
"""Plain letters between which ``\\times`` is a cross product."""

PHASE_FACTORS = frozenset(("k", "m", "n", "l", "omega", "Omega", "pi"))
"""They take a bracket into the argument: ``\\cos\\omega(t-t_0)``."""

RELATIONS = {
    "=": "=", ":=": "=", "==": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "!=": "!=",
    "=<": "<=", "=>": "implies", "->": "to", "<>": "!=", "<<": "much_less", ">>": "much_greater",
    "~=": "approx", "\\le": "<=", "\\leq": "<=", "\\leqslant": "<=", "\\leqq": "<=",
    "\\ge": ">=", "\\geq": ">=", "\\geqslant": ">=", "\\geqq": ">=", "\\lt": "<", "\\gt": ">",
    "\\ne": "!=", "\\neq": "!=", "\\propto": "propto", "\\varpropto": "propto",
    "\\approx": "approx", "\\sim": "approx", "\\simeq": "approx", "\\cong": "approx",
    "\\approxeq": "approx", "\\thicksim": "approx", "\\thickapprox": "approx",
    "\\doteq": "=", "\\triangleq": "=", "\\coloneqq": "=", "\\equiv": "equiv", "\\eq": "=",
    "\\ll": "much_less", "\\gg": "much_greater", "\\lll": "much_less", "\\ggg": "much_greater",
    "\\in": "in", "\\to": "to", "\\rightarrow": "to", "\\longrightarrow": "to",
    "\\lesssim": "less_approx", "\\gtrsim": "greater_approx", "\\lessapprox": "less_approx",
    "\\gtrapprox": "greater_approx", "\\implies": "implies", "\\Rightarrow": "implies",
    "\\Longrightarrow": "implies", "\\iff": "implies", "\\Leftrightarrow": "implies",
    "\\Longleftrightarrow": "implies", "\\therefore": "implies",
}  # fmt: skip
"""Sign -> relation; "implies" separates statements."""

SIGNS = {
    "\\times": "\\times", "\\cdot": "\\cdot", "\\cdotp": "\\cdot", "\\bullet": "\\cdot",
    "\\ast": "*", "\\star": "*", "\\div": "/", "\\slash": "/", "\\pm": "pm", "\\mp": "mp",
    "\\wedge": "\\times", "\\lbrace": "lset", "\\rbrace": "rset", "\\{": "lset", "\\}": "rset",
    "\\lvert": "lbar", "\\rvert": "rbar", "\\lVert": "lbar", "\\rVert": "rbar", "\\vert": "|",
    "\\Vert": "|", "\\|": "|", "\\mid": "|", "\\langle": "langle", "\\rangle": "rangle",
    "\\lbrack": "[", "\\rbrack": "]", "\\lparen": "(", "\\rparen": ")", "\\prime": "'",
    "\\lfloor": "lfloor", "\\rfloor": "rfloor", "\\lceil": "lceil", "\\rceil": "rceil",
    "\\%": "%", "\\colon": ":", "\\dagger": "dagger", "\\parallel": "parallel", "\\perp": "perp",
    "\\bot": "perp", "\\shortparallel": "parallel", "\\sun": "odot", "\\earth": "oplus",
}  # fmt: skip
"""Command -> operator of the grammar."""

IGNORED = _names(
    "displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag centering "
    "left right middle big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm "
    "quad qquad thinspace medspace thickspace negthinspace enspace enskip hfill hfil noindent "
    "null relax strut mathstrut allowbreak nobreak break newline par normalsize large Large "
    "small it mathop mathrel mathbin mathord mathopen mathclose ensuremath protect "
    "blacksquare Box square qed checkmark unboldmath smash bigskip medskip smallskip hskip "
    "displaylimits mathinner"
)
"""Commands that set type only. Those with a meaning for brackets or spacing are handled before."""

DROPPED_WITH_ARGUMENT = _names(
    "tag tag* label hspace hspace* vspace vspace* phantom hphantom vphantom color ref eqref "
    "footnote notag* textcolor*"
)

UPRIGHT = _names(
    "mathrm text textrm mbox operatorname operatorname* mathup textup textnormal rm hbox textsf "
    "mathsf textit textbf symup texttt mathtt"
)
PLAIN_FONTS = _names("mathit mathnormal mit cal boxed fbox bbox mathstrut underline")
BOLD = _names(
    "mathbf boldsymbol bm pmb bf vec overrightarrow overleftrightarrow symbf mathbfit vb va"
)
ACCENTS = {
    "hat": "unit", "widehat": "unit", "bar": "bar", "overline": "bar", "tilde": "tilde",
    "widetilde": "tilde", "vu": "unit", "check": "check", "breve": "breve",
}  # fmt: skip
SCRIPTS = {"mathcal": "script", "mathscr": "script", "mathfrak": "fraktur", "mathbb": "blackboard"}
DOTS = {"dot": 1, "ddot": 2, "dddot": 3}

FRACTIONS = _names("frac dfrac tfrac cfrac sfrac nicefrac")

MATRICES = _names("pmatrix bmatrix matrix vmatrix Bmatrix smallmatrix array")
DISPLAYS = _names(
    "equation align aligned gather gathered split eqnarray multline displaymath math alignat "
    "alignedat flalign dmath subequations"
)

KEYWORDS = {
    "where": "where", "with": "where", "wherein": "where", "here": "where",
    "and": "and", "or": "or", "while": "and", "whereas": "and", "but": "and", "then": "and",
    "so": "and", "hence": "and", "thus": "and", "therefore": "and",
    "for": "for", "if": "for", "when": "for", "provided": "for", "whenever": "for",
    "otherwise": "otherwise", "else": "otherwise", "elsewhere": "otherwise",
    "is": "is", "are": "is", "denotes": "is", "being": "is", "denote": "is",
}  # fmt: skip
"""Word -> its part in the structure of an answer."""

WORDS = _names(
    "the that this these those given which any all some not from into constant constants value "
    "values function where thus answer final result equation formula yes none true false both "
    "del dot cross hat vec bar either neither nan correct wrong see note using total"
)
"""Words that are never a product of letters; outside a remark they make the reading fail."""

CONSTANT_WORDS = {"const": "const", "constant": "const", "cst": "const"}

LABELS = _names(
    "sun earth max min eff rms tot ext int esc crit sw sh th ion eq kin mag gas rad obs ref iso "
    "cor phot out bulk conv diff turb dyn ram inj acc loss grav surf wind core star"
)
"""Subscripts that stay one word without braces in TeX: ``$R_sun$``."""

UNIT_RUNS = _names(
    "km cm mm nm Mm Gm pc kpc Mpc AU au ms ns yr hr Hz kHz MHz GHz nT mT Gs eV keV MeV GeV TeV erg "
    "kJ MJ nPa Pa kPa MK kK kg MV GV kV sfu pfu sr rad deg arcsec arcmin Jy TECU Wb mol amu "
    "day days"
)
"""Units that stay one word in plain text when a space stands before them."""
