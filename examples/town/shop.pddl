(define (problem shop)
  (:domain town)
  (:objects home hill river bridge school shop - place)
  (:init
    (at home)
    (path home hill) (path hill home) (path hill school) (path school hill)
    (path home river) (path river home) (path river bridge) (path bridge river)
    (path bridge school) (path school bridge) (path bridge shop) (path shop bridge))
  (:goal (at shop)))
